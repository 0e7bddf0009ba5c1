import type { LeftOutRecord } from '../../core/checkpoint.ts'
import { type PartitionRange, parsePartitionKey, partitionKey } from '../../core/offsets.ts'
import type { HistoryEvent, RunRow } from '../../ports/history.ts'
import type { CutDetail } from './cut-event.ts'
import type { HistoryStep, RangeStep, RestoredPoint } from './history-step.ts'

/** What happened since the last step and belongs to the next range. */
interface Pending {
  leftOut: LeftOutRecord[]
  gaps: PartitionRange[]
  accepted: string[]
  addedStores: string[]
}

/** Makes steps of events, which are to be given in their order. */
export class HistoryReader {
  /** Older cuts do not say where a range started; the run's row does. */
  readonly #runOf: (runId: string) => RunRow | undefined
  #steps: HistoryStep[] = []
  #restored: RestoredPoint | null = null
  #pending: Pending = nothing()

  constructor(runOf: (runId: string) => RunRow | undefined) {
    this.#runOf = runOf
  }

  told(): { readonly steps: readonly HistoryStep[]; readonly restored: RestoredPoint | null } {
    return { steps: withGone(this.#steps), restored: this.#restored }
  }

  /** The details of events are what this program has written there itself. */
  take({ kind, seq, runId, at, detail }: HistoryEvent): void {
    switch (kind) {
      case 'cut':
        this.#cut(seq, at, runId ?? '', detail as unknown as Partial<CutDetail>)
        break
      case 'skipped':
        this.#pending.leftOut.push(detail as unknown as LeftOutRecord)
        break
      case 'gap':
        this.#pending.gaps.push(detail as unknown as PartitionRange)
        break
      case 'topic-accepted':
        this.#pending.accepted.push(String(detail.topic))
        break
      case 'store-added':
        this.#pending.addedStores.push(String(detail.store))
        break
      case 'checkpoint-set':
        this.#add({ kind: 'checkpoint-set', seq, at, offsets: movedTo(detail.moves as readonly Move[]), detail })
        break
      case 'reset':
        this.#reset(seq, at, detail)
        break
      case 'restored':
        this.#begin({ seq, at, ...(detail as unknown as RestoredDetail) })
        break
      case 'init':
        this.#begin(null)
        break
      default: // what the cuts say too
    }
  }

  #begin(restored: RestoredPoint | null): void {
    this.#steps = []
    this.#restored = restored
    this.#pending = nothing()
  }

  #reset(seq: number, at: number, detail: HistoryEvent['detail']): void {
    const { state, streamTime, offsets } = detail as {
      state: boolean
      streamTime: boolean
      offsets?: RestoredPoint['offsets']
    }
    if (state) this.#add({ kind: 'reset', seq, at, offsets: offsets ?? {}, detail })
    else if (streamTime) this.#add({ kind: 'reset', seq, at, offsets: null, detail })
  }

  #cut(seq: number, at: number, ofRun: string, detail: Partial<CutDetail>): void {
    const before = this.#steps.at(-1)
    if (before !== undefined && before.seq >= seq) return // a plan that was given up right behind a cut
    const { offsets = {}, advanceTo = null, closeWindows = false, partial = false, goesOn = false } = detail
    const runId = detail.run ?? ofRun
    const step: RangeStep = {
      kind: 'range',
      seq,
      at,
      runId,
      rowId: ofRun,
      jobHash: detail.jobHash ?? this.#runOf(ofRun)?.jobHash ?? '',
      ranges: this.#ranges(detail.from ?? this.#startsOf(ofRun), offsets),
      advanceTo,
      closeWindows,
      merged: detail.merged ?? 1,
      whole: !partial,
      goesOn,
      gone: [],
      ...this.#pending,
    }
    const done = this.#doneOf(runId)
    this.#add(done === null ? step : restOf(step, done))
  }

  /** Where a run stood when a part of its range was a step, or was restored; null where neither is so. */
  #doneOf(runId: string): Readonly<Record<string, number>> | null {
    const before = this.#steps.at(-1)
    if (before === undefined) return this.#restored?.runUnderWay === runId ? this.#restored.offsets : null
    return before.kind === 'range' && !before.whole && before.runId === runId ? offsetsOf(before.ranges) : null
  }

  #add(step: HistoryStep): void {
    this.#steps.push(step)
    this.#pending = nothing()
  }

  #startsOf(runId: string): CutDetail['from'] {
    const read = this.#runOf(runId)?.partitions ?? []
    return Object.fromEntries(read.map(({ topic, partition, from }) => [partitionKey(topic, partition), from]))
  }

  #ranges(starts: CutDetail['from'], offsets: CutDetail['offsets']): readonly PartitionRange[] {
    return Object.entries(starts).map(([key, from]) => {
      return { ...parsePartitionKey(key), from, to: Math.max(from, offsets[key] ?? from) }
    })
  }
}

/** What is left of a range of which a part is processed: up to `offsets`, by `topic/partition`. */
export function restOf(step: RangeStep, offsets: Readonly<Record<string, number>>): RangeStep {
  const ranges = step.ranges.map((range) => {
    const done = offsets[partitionKey(range.topic, range.partition)] ?? range.from
    const from = Math.min(Math.max(range.from, done), range.to)
    return { ...range, from }
  })
  return { ...step, ranges, goesOn: true }
}

function offsetsOf(ranges: readonly PartitionRange[]): Readonly<Record<string, number>> {
  return Object.fromEntries(ranges.map(({ topic, partition, to }) => [partitionKey(topic, partition), to]))
}

type RestoredDetail = Pick<RestoredPoint, 'offsets' | 'runUnderWay'>

interface Move {
  readonly topic: string
  readonly partition: number
  readonly to: number
}

function movedTo(moves: readonly Move[]): Readonly<Record<string, number>> {
  return Object.fromEntries(moves.map(({ topic, partition, to }) => [partitionKey(topic, partition), to]))
}

function withGone(steps: readonly HistoryStep[]): readonly HistoryStep[] {
  const gone = new Set<string>()
  return steps
    .toReversed()
    .map((step) => {
      if (step.kind !== 'range') return step
      const marked = { ...step, gone: [...gone] }
      for (const topic of step.accepted) gone.add(topic)
      return marked
    })
    .reverse()
}

function nothing(): Pending {
  return { leftOut: [], gaps: [], accepted: [], addedStores: [] }
}
