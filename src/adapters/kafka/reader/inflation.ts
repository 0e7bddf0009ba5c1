import type { Chunk } from '../../../ports/log.ts'
import { makePlainAhead, plainAheadBytes } from '../../../wire/plain-ahead.ts'

/** What is decompressed together: long enough that the way to another thread does not count. */
const PIECE_BYTES = 1024 * 1024
/** Less is decompressed sooner than another thread has heard of it. */
const LEAST_BYTES = 256 * 1024

/** A part of a chunk. */
export interface Piece {
  readonly chunk: Chunk
  /** Bytes that its batches have in memory, as they were fetched. */
  readonly bytes: number
  /** Bytes that it has in memory when it is decompressed ahead; 0 where it is not to be. */
  readonly plainBytes: number
}

/** A chunk as pieces that are decompressed ahead one by one; as one piece where that would not pay. */
export function piecesOf(chunk: Chunk, nextOffsetOf: (batch: Buffer) => number, bytes: number): readonly Piece[] {
  const pieces: Piece[] = []
  const batches = chunk.batches as readonly Buffer[]
  let first = 0
  let plainBytes = 0
  let left = bytes
  for (const [index, batch] of batches.entries()) {
    const plain = plainAheadBytes(batch)
    if (plain === 0) return [{ chunk, bytes, plainBytes: 0 }]
    plainBytes += plain
    const isLast = index === batches.length - 1
    if (plainBytes < PIECE_BYTES && !isLast) continue
    const some = batches.slice(first, index + 1)
    const ownBytes = isLast ? left : some.reduce((sum, { length }) => sum + length, 0)
    const nextOffset = isLast ? chunk.nextOffset : nextOffsetOf(batch)
    pieces.push({
      chunk: { batches: some, nextOffset },
      bytes: ownBytes,
      plainBytes: plainBytes < LEAST_BYTES ? 0 : plainBytes,
    })
    left -= ownBytes
    first = index + 1
    plainBytes = 0
  }
  return pieces.length === 0 ? [{ chunk, bytes, plainBytes: 0 }] : pieces
}

/** Decompresses what is waiting to be taken, as far as a bound on memory allows. */
export class Inflation {
  readonly #mostBytes: number
  #heldBytes = 0
  readonly #underWay = new Map<Piece, Promise<void>>()

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Bytes that are decompressed, or will be soon. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Begins with a piece, unless it is begun, or is not to be. */
  begin(piece: Piece): void {
    const { plainBytes, chunk } = piece
    if (plainBytes === 0 || this.#underWay.has(piece) || this.#heldBytes + plainBytes > this.#mostBytes) return
    this.#heldBytes += plainBytes
    this.#underWay.set(piece, makePlainAhead(chunk.batches as readonly Buffer[]))
  }

  /** Resolves when what was begun with is done: the caller takes the piece. */
  async taken(piece: Piece): Promise<void> {
    const done = this.#underWay.get(piece)
    if (done === undefined) return
    this.#underWay.delete(piece)
    this.#heldBytes -= piece.plainBytes
    await done
  }
}
