/** How far numbers may lie apart and still count as the same. */
export interface Tolerance {
  /** For every number that is not named. */
  readonly any: number
  /** By field: its own name, or its path with dots. */
  readonly fields: ReadonlyMap<string, number>
}

export const EXACT: Tolerance = { any: 0, fields: new Map() }

/** The tolerance of a field, of which the path is given from the value down. */
export function toleranceOf({ any, fields }: Tolerance, path: readonly string[]): number {
  const last = path.at(-1)
  if (last === undefined || fields.size === 0) return any
  return fields.get(path.join('.')) ?? fields.get(last) ?? any
}

export function isExact({ any, fields }: Tolerance): boolean {
  return any === 0 && fields.size === 0
}
