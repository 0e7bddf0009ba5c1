import { TidemarkError } from '../../../core/errors.ts'
import type { PartitionRange } from '../../../core/offsets.ts'
import type { Retry } from '../connection/retry.ts'
import type { Piece } from './inflation.ts'

/** Pieces that are decompressed before they are taken: the next one, and one while that is looked at. */
const PIECES_AHEAD = 2

/**
 * `ready`: may be fetched. `fetching`: it is part of a request. `troubled`: something is found out about it, its leader at
 * first. `done`: all is fetched. `failed`: nothing more will come.
 */
export type RangeStatus = 'ready' | 'fetching' | 'troubled' | 'done' | 'failed'

/** One range on its way: what is fetched and not yet taken, and where fetching stands. */
export class RangeFetch {
  readonly range: PartitionRange
  /** `topic[partition]`. */
  readonly name: string
  readonly retry: Retry
  status: RangeStatus = 'troubled'
  /** The next offset to fetch. */
  position: number
  /** 16 bytes; undefined before the topic was found. */
  topicId: Buffer | undefined
  leader = -1
  leaderEpoch = -1
  /** The leader epoch of the last batch fetched, or -1: the log must still hold it. */
  lastEpoch = -1
  /** How often in a row the topic or partition was not there. */
  missed = 0
  queuedBytes = 0
  readonly #queue: Piece[] = []
  #taken: number
  #error: unknown
  #wake: (() => void) | undefined

  constructor(range: PartitionRange, retry: Retry) {
    this.range = range
    this.name = `${range.topic}[${range.partition}]`
    this.retry = retry
    this.position = this.#taken = range.from
  }

  /** True when the caller has all. */
  get isTaken(): boolean {
    return this.#taken >= this.range.to
  }

  /** True while the caller waits for a chunk. */
  get isAwaited(): boolean {
    return this.#wake !== undefined
  }

  /** Adds what was fetched, in order, and moves the position. */
  push(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      this.#queue.push(piece)
      this.queuedBytes += piece.bytes
      this.position = piece.chunk.nextOffset
    }
    this.status = this.position >= this.range.to ? 'done' : 'ready'
    this.#alert()
  }

  /** What was fetched before stays to be taken; then the error comes. */
  fail(error: unknown): void {
    this.#error = error instanceof TidemarkError ? error.locatedAt(this.#place) : error
    this.status = 'failed'
    this.#alert()
  }

  /** What is taken next. */
  get upcoming(): readonly Piece[] {
    return this.#queue.slice(0, PIECES_AHEAD)
  }

  /** The next piece, if one is there. Throws the error when the range has failed and all before is taken. */
  shift(): Piece | undefined {
    const first = this.#queue.shift()
    if (first === undefined) {
      if (this.status === 'failed') throw this.#error
      return undefined
    }
    this.queuedBytes -= first.bytes
    this.#taken = first.chunk.nextOffset
    return first
  }

  /** Resolves when a chunk or an error is there. */
  arrival(): Promise<void> {
    if (this.#wake !== undefined) throw new Error('one chunk of a range is asked for at a time')
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #alert(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }

  get #place() {
    const { topic, partition } = this.range
    return { topic, partition, offset: this.position }
  }
}
