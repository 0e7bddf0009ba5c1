import { TidemarkError } from '../../core/errors.ts'
import type { PartitionRange } from '../../core/offsets.ts'
import type { Log } from '../../ports/log.ts'
import { formatIsoTime } from '../iso-time.ts'
import type { Plan, PlannedPartition } from '../plan-types.ts'
import { offsetsAtTime } from '../time-bound.ts'
import type { BackfillPart } from './backfill-part.ts'

const MOST_PARTS = 10_000

/** Where the parts of a backfill end: a span of time apart, or a number of offsets. */
export type PartSize =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'offsets'; readonly count: number }

export interface CutContext {
  readonly log: Log
  /** Records later than this do not count for a time, epoch ms; Infinity where all do. */
  readonly latest: number
}

/** Cuts a whole plan into parts; one part where no size is given. Throws USAGE where that cannot be done. */
export async function cutParts(
  whole: Plan,
  size: PartSize | null,
  context: CutContext,
): Promise<readonly BackfillPart[]> {
  if (size === null) return [wholePart(whole)]
  return size.kind === 'time' ? partsByTime(whole, size.ms, context) : partsByOffsets(whole, size.count)
}

function wholePart({ partitions, asked, times }: Plan): BackfillPart {
  return { to: asked.to, times, ranges: partitions.map(rangeOf) }
}

async function partsByTime(whole: Plan, ms: number, { log, latest }: CutContext): Promise<readonly BackfillPart[]> {
  const { from, to } = whole.times
  if (from === null || to === null) {
    throw new TidemarkError('USAGE', '--every with a span of time needs a start and an end that are times', {
      hint: 'Give both as times (--from 2013-01-01 --to 2013-02-01), or --every as a count of offsets (+100000).',
    })
  }
  requireFew(Math.ceil((to - from) / ms))
  const parts: BackfillPart[] = []
  let begins = from
  let positions = whole.partitions.map((planned) => planned.from)
  for (let time = from + ms; time < to; time += ms) {
    const targets = whole.partitions.map(({ topic, partition, to: end }, index) => {
      return { topic, partition, from: positions[index] ?? 0, to: end }
    })
    const ends = await offsetsAtTime(log, targets, time, { isolation: whole.isolation, latest })
    parts.push({
      to: formatIsoTime(time),
      times: { from: begins, to: time },
      ranges: targets.map((target, index) => ({ ...target, to: ends[index] ?? target.to })),
    })
    positions = [...ends]
    begins = time
  }
  const last = whole.partitions.map((planned, index) => ({ ...rangeOf(planned), from: positions[index] ?? 0 }))
  return [...parts, { to: whole.asked.to, times: { from: begins, to }, ranges: last }]
}

/** Tables are read whole with the first part: what a stream record needs is never cut off. */
function partsByOffsets(whole: Plan, count: number): readonly BackfillPart[] {
  const streams = whole.partitions.filter(({ role }) => role === 'stream')
  const number = Math.max(1, ...streams.map(({ from, to }) => Math.ceil((to - from) / count)))
  requireFew(number)
  const times = { from: null, to: null }
  return Array.from({ length: number }, (_, index) => ({
    to: index + 1 < number ? `+${(index + 1) * count}` : whole.asked.to,
    times,
    ranges: whole.partitions.map((planned) => {
      const { topic, partition, role, from, to } = planned
      const at = (part: number) => Math.min(to, role === 'table' ? (part > 0 ? to : from) : from + part * count)
      return { topic, partition, from: at(index), to: at(index + 1) }
    }),
  }))
}

function requireFew(parts: number): void {
  if (parts <= MOST_PARTS) return
  throw new TidemarkError('USAGE', `--every would make ${parts} parts, and there may be ${MOST_PARTS}`, {
    hint: 'Make the parts larger.',
  })
}

function rangeOf({ topic, partition, from, to }: PlannedPartition): PartitionRange {
  return { topic, partition, from, to }
}
