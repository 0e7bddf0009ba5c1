import { type PartitionRange, partitionKey } from '../../core/offsets.ts'
import { hashPlan } from '../plan-hash.ts'
import type { Plan } from '../plan-types.ts'

/** One run of a backfill. Its ranges begin where those of the part before end, or later. */
export interface BackfillPart {
  /** The end of the part as a bound, for people and for its plan: a time, or the end of the whole. */
  readonly to: string
  /** The times that the part stands for, epoch ms; null where it is not cut at times. */
  readonly times: Plan['times']
  /** In the order of the whole plan's partitions; empty ones too. */
  readonly ranges: readonly PartitionRange[]
}

/** The plan of one part. What was found odd, lost or made anew for the whole is said with the first one. */
export function planOfPart(whole: Plan, part: BackfillPart, isFirst: boolean): Plan {
  const { hash: _, ...rest } = whole
  const said = isFirst ? {} : { notices: [], gaps: [], accepted: [], heldBack: 0 }
  const partitions = whole.partitions.map((planned, index) => {
    const { from, to } = part.ranges[index] ?? planned
    return { ...planned, from, to, startedBy: isFirst ? planned.startedBy : 'checkpoint' } as const
  })
  const plan = { ...rest, ...said, asked: { from: whole.asked.from, to: part.to }, times: part.times, partitions }
  return { ...plan, hash: hashPlan(plan) }
}

/** How many offsets some parts have. */
export function offsetsOf(parts: readonly Pick<BackfillPart, 'ranges'>[]): number {
  return parts.reduce((sum, { ranges }) => sum + ranges.reduce((part, { from, to }) => part + to - from, 0), 0)
}

/** How many parts are done, by the offsets that were reached; undefined offsets: nothing was ever committed. */
export function partsDone(
  parts: readonly BackfillPart[],
  offsets: Readonly<Record<string, number>> | undefined,
): number {
  if (offsets === undefined) return 0
  const open = parts.findIndex(({ ranges }) =>
    ranges.some(
      ({ topic, partition, from, to }) => from < to && (offsets[partitionKey(topic, partition)] ?? from) < to,
    ),
  )
  return open < 0 ? parts.length : open
}
