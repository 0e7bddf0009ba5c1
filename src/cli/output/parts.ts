/** So many rows are laid out together: a table takes time with the square of its rows. */
const PART_ROWS = 1000

/** Rows in parts, in order. Where there is no row there is one part without any. */
export function* partsOf<T>(rows: Iterable<T>): Generator<readonly T[]> {
  let part: T[] = []
  let any = false
  for (const row of rows) {
    part.push(row)
    if (part.length < PART_ROWS) continue
    yield part
    part = []
    any = true
  }
  if (part.length > 0 || !any) yield part
}
