import { TidemarkError } from '../../core/errors.ts'
import type { PartitionRange } from '../../core/offsets.ts'
import { listSome } from '../../planner/list-some.ts'
import type { JobFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import { isLocked } from '../try-lock.ts'
import { isBackfill } from './backfill-bounds.ts'
import { backfillAt, type StoredBackfill } from './stored-backfill.ts'

/** Throws LOCKED where another backfill over some of the same records of streams is running. */
export function refuseOverlap(
  env: Pick<Environment, 'state' | 'locks'>,
  job: string,
  jobFile: JobFile,
  own: StoredBackfill & { readonly generation: string },
): void {
  for (const { name, bounds } of jobFile.generations()) {
    if (name === own.generation || !isBackfill(bounds)) continue
    const other = backfillAt(env.state, job, name)
    if (other === undefined || other.done === other.parts.length) continue
    const common = overlaps(streamRanges(own), streamRanges(other))
    if (common.length === 0 || !isLocked(env.locks, `${job}/${name}`, 'a look whether a backfill is running')) continue
    throw new TidemarkError('LOCKED', `backfill ${name} is running over the same records: ${listSome(common)}`, {
      hint: 'Try again when it has ended, or give bounds that do not meet.',
    })
  }
}

function streamRanges({ whole, parts }: StoredBackfill): readonly PartitionRange[] {
  return parts.flatMap(({ ranges }) =>
    ranges.filter(({ from, to }, index) => from < to && whole.partitions[index]?.role === 'stream'),
  )
}

function overlaps(own: readonly PartitionRange[], other: readonly PartitionRange[]): readonly string[] {
  return own.flatMap(({ topic, partition, from, to }) => {
    const met = other.find(
      (each) => each.topic === topic && each.partition === partition && each.from < to && from < each.to,
    )
    if (met === undefined) return []
    return [`${topic}[${partition}] from ${Math.max(from, met.from)} to ${Math.min(to, met.to)}`]
  })
}
