import type { Plan } from '../../planner/plan-types.ts'
import type { LogReader } from '../../ports/log.ts'
import type { Session } from '../session.ts'

/**
 * A reader of a plan's ranges from their beginnings, which is fetching already while the outside is made ready. Whoever has it
 * closes it.
 */
export function readAhead({ env, loaded }: Session, { partitions }: Plan): LogReader {
  const ranges = partitions.map(({ topic, partition, from, to }) => ({ topic, partition, from, to }))
  return env.log.reader(ranges, { isolation: loaded.job.settings.isolation, atOnce: true })
}
