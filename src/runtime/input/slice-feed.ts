import type { Clock } from '../../ports/clock.ts'
import type { LogReader } from '../../ports/log.ts'
import type { StopSignal } from '../stop-signal.ts'
import { Merge } from './merge.ts'
import type { PartitionInput } from './partition-input.ts'

/** The event loop gets a turn at least this often, ms: what is fetched comes in then, and what is sent goes out. */
const YIELD_MS = 20
/** Records between two looks at the clock and at what the slice has made, unless records are slow. */
const LOOK_EVERY = 16
/** Records that take this many ms each are slow: then the clock is looked at after every one. */
const SLOW_MS = 2

export interface SliceLimits {
  readonly records: number
  /** Ends the slice when it has taken about this long. */
  readonly withinMs: number
  /** True when the slice has made as much as it may. */
  readonly full: () => boolean
  readonly stop: StopSignal
}

/** Why a slice ended: its limit, the end of all ranges, or a wish to stop. */
export type SliceEnd = 'limit' | 'end' | 'stopped'

/** Reads the partitions of a plan in merged order, across slices. */
export class SliceFeed {
  readonly inputs: readonly PartitionInput[]
  readonly #reader: LogReader
  readonly #clock: Clock
  readonly #merge = new Merge()
  #started = false
  #yieldedAt: number
  #lookedAt: number
  #lookAfter = LOOK_EVERY

  /** `reader` reads the ranges of `inputs`, in the same order. */
  constructor(inputs: readonly PartitionInput[], reader: LogReader, clock: Clock) {
    this.inputs = inputs
    this.#reader = reader
    this.#clock = clock
    this.#yieldedAt = clock.monotonic()
    this.#lookedAt = this.#yieldedAt
  }

  /** Takes records in merged order, giving each to `take` before the next is looked at. */
  async slice(limits: SliceLimits, take: (input: PartitionInput) => void): Promise<SliceEnd> {
    const merge = this.#merge
    if (!this.#started) await this.#start()
    if (this.#yieldDue()) await this.#yield() // slices may be shorter than that, and none looks
    const endsAt = this.#clock.monotonic() + limits.withinMs
    let lookAfter = LOOK_EVERY
    for (let taken = 0; merge.size > 0; ) {
      if (limits.stop.asked !== null) return 'stopped'
      if (taken >= limits.records) return 'limit'
      const input = merge.first
      take(input)
      taken++
      if (input.advance() === 'need') await this.#load(input)
      if (input.state === 'end') merge.removeFirst()
      else merge.firstChanged()
      if (--lookAfter > 0) continue
      if (limits.full() && merge.size > 0) return 'limit'
      lookAfter = this.#recordsToNextLook()
      if (this.#lookedAt >= endsAt && merge.size > 0) return 'limit'
      if (this.#yieldDue()) await this.#yield()
    }
    return 'end'
  }

  #recordsToNextLook(): number {
    const now = this.#clock.monotonic()
    const slow = now - this.#lookedAt >= SLOW_MS * this.#lookAfter
    this.#lookedAt = now
    this.#lookAfter = slow ? 1 : LOOK_EVERY
    return this.#lookAfter
  }

  #yieldDue(): boolean {
    return this.#clock.monotonic() - this.#yieldedAt >= YIELD_MS
  }

  async #yield(): Promise<void> {
    await this.#clock.yield()
    this.#yieldedAt = this.#clock.monotonic()
  }

  async #start(): Promise<void> {
    for (const input of this.inputs) {
      if (input.state === 'need') await this.#load(input)
      if (input.state === 'head') this.#merge.add(input)
    }
    this.#started = true
  }

  async #load(input: PartitionInput): Promise<void> {
    while (input.state === 'need') input.feed(await this.#reader.next(input.order))
  }
}
