/** Those of `names` that `wanted` may be a slip of, nearest first, at most three. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const most = Math.min(Math.ceil(wanted.length / 4), wanted.length - 1)
  return names
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= most)
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, 3)
    .map((candidate) => candidate.name)
}

/** Edits of one character, or of two swapped neighbours, from one text to the other. */
function distance(left: string, right: string): number {
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const line = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let least = Math.min(at(above, column) + 1, at(line, column - 1) + 1, at(above, column - 1) + (same ? 0 : 1))
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped && row > 1 && column > 1) least = Math.min(least, at(before, column - 2) + 1)
      line.push(least)
    }
    before = above
    above = line
  }
  return at(above, right.length)
}

function at(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY
}
