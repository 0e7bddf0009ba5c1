import { decodeCheckpoint } from '../../core/checkpoint.ts'
import { type BackfillPart, partsDone } from '../../planner/backfill/backfill-part.ts'
import { parsePlan } from '../../planner/parse-plan.ts'
import type { Plan } from '../../planner/plan-types.ts'
import type { HistoryEvent } from '../../ports/history.ts'
import type { StateDirectory, StateFile } from '../../ports/state-file.ts'
import { readGeneration } from '../read-generation.ts'

/** The parts of a backfill, fixed when it began. */
export interface StoredBackfill {
  readonly whole: Plan
  readonly parts: readonly BackfillPart[]
}

/** The event that keeps them, before the first record is read. */
export function backfillEvent({ whole, parts }: StoredBackfill, at: number): HistoryEvent {
  const kept = parts.map(({ to, times, ranges }) => ({
    to,
    times,
    ranges: ranges.map((range) => [range.from, range.to]),
  }))
  return { kind: 'backfill', seq: 0, runId: null, at, detail: { whole: JSON.stringify(whole), parts: kept } }
}

/** What a generation's file keeps of its backfill; undefined where it has none. */
export function storedBackfill(file: StateFile): StoredBackfill | undefined {
  const event = file.events().find(({ kind }) => kind === 'backfill')
  if (event === undefined) return undefined
  const { whole: text, parts } = event.detail as unknown as KeptBackfill // as written above
  const whole = parsePlan(text)
  return {
    whole,
    parts: parts.map(({ to, times, ranges }) => ({
      to,
      times,
      ranges: whole.partitions.map(({ topic, partition }, index) => {
        const [from = 0, end = 0] = ranges[index] ?? []
        return { topic, partition, from, to: end }
      }),
    })),
  }
}

interface KeptBackfill {
  readonly whole: string
  readonly parts: readonly (Omit<BackfillPart, 'ranges'> & { readonly ranges: readonly (readonly number[])[] })[]
}

/** A backfill as another process sees it, and how many of its parts are done. */
export function backfillAt(
  state: Pick<StateDirectory, 'open'>,
  job: string,
  generation: string,
): (StoredBackfill & { readonly done: number }) | undefined {
  return readGeneration(state, job, generation, (file) => {
    const stored = file && storedBackfill(file)
    if (stored === undefined) return undefined
    const bytes = file?.checkpoint()?.bytes
    const checkpoint = bytes === undefined ? undefined : decodeCheckpoint(bytes)
    return { ...stored, done: partsDone(stored.parts, checkpoint?.offsets) }
  })
}
