/** Ranges with less than this to fetch at a time are read ahead of the caller only when there is room for as much. */
const LEAST_AHEAD_BYTES = 16 * 1024
/** More at a time makes the first record late and nothing faster. */
const MOST_BYTES = 4 * 1024 * 1024

/** What is looked at of a range that could be fetched now. */
export interface Fetchable {
  /** Of its partition: several ranges may lie in one, and a request names a partition once. */
  readonly name: string
  readonly isAwaited: boolean
  /** Bytes that are fetched and not taken. */
  readonly queuedBytes: number
}

export interface Choice<T> {
  readonly range: T
  readonly maxBytes: number
}

/**
 * Which of a broker's ranges to ask for now, in which order, and for how many bytes each. Those that the caller waits for
 * come first, whatever is held already; the others are read ahead, the emptiest first, while there is room. So what is
 * held stays below `bufferBytes` but for one batch, which the first range gets even if it is larger than asked.
 */
export function chooseFetch<T extends Fetchable>(
  ranges: readonly T[],
  bufferBytes: number,
  heldBytes: number,
  allRanges: number,
): readonly Choice<T>[] {
  const share = Math.max(1, Math.floor(bufferBytes / allRanges))
  const ahead = Math.min(Math.max(Math.floor(share / 2), LEAST_AHEAD_BYTES), MOST_BYTES)
  let room = bufferBytes - heldBytes
  const choices = new Map<string, Choice<T>>()
  const take = (range: T, maxBytes: number) => {
    choices.set(range.name, { range, maxBytes })
    room -= maxBytes
  }
  for (const range of [...ranges].sort(inOrder)) {
    if (choices.has(range.name)) continue
    if (range.isAwaited) take(range, Math.max(1, Math.min(share, MOST_BYTES, room)))
    else if (room >= ahead && range.queuedBytes < ahead) take(range, ahead)
  }
  return [...choices.values()]
}

function inOrder(left: Fetchable, right: Fetchable): number {
  return Number(right.isAwaited) - Number(left.isAwaited) || left.queuedBytes - right.queuedBytes
}
