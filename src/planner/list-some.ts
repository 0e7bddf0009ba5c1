const MOST = 10

/** Joins what people are to read: the first ten, and how many more there are. */
export function listSome(parts: readonly string[], separator = ', '): string {
  if (parts.length <= MOST) return parts.join(separator)
  return `${parts.slice(0, MOST).join(separator)}${separator}and ${parts.length - MOST} more`
}
