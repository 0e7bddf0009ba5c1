import { missingRanges, type PartitionCoverage } from '../coverage.ts'
import type { Plan } from '../plan-types.ts'
import type { BackfillPart } from './backfill-part.ts'

/**
 * What no run has processed of a plan's streams, as parts: the first one has the first missing stretch of each partition,
 * the next one the second. Tables are read whole with the first. Empty where nothing is missing.
 */
export function missingParts(whole: Plan, coverage: readonly PartitionCoverage[]): readonly BackfillPart[] {
  const stretches = whole.partitions.map((planned) =>
    planned.role === 'table' ? [planned] : missingRanges(coverage, [planned], whole.topicIds),
  )
  const number = Math.max(
    0,
    ...stretches.map((each, index) => (whole.partitions[index]?.role === 'stream' ? each.length : 0)),
  )
  return Array.from({ length: number }, (_, part) => ({
    to: whole.asked.to,
    times: { from: null, to: null },
    ranges: whole.partitions.map(({ topic, partition, from }, index) => {
      const mine = stretches[index] ?? []
      const stretch = mine[part]
      const reached = mine.slice(0, part).at(-1)?.to ?? from
      return { topic, partition, from: stretch?.from ?? reached, to: stretch?.to ?? reached }
    }),
  }))
}
