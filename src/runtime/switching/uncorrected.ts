import { TidemarkError } from '../../core/errors.ts'
import type { Job } from '../../topology/job.ts'
import { sinkTopic } from '../sinks.ts'
import { ownedSinks } from './owned-sinks.ts'

/**
 * The topics of a job that a switch corrects: its own tables, without those that `left` names. Throws USAGE where it writes
 * others too and `left` does not name them all, or names what the job does not write.
 */
export function correctedTopics({ name, topology }: Job, left: readonly string[]): readonly string[] {
  const owned = ownedSinks(topology).map(({ topic }) => topic.name)
  const written = [...new Set(topology.nodes.flatMap((node) => sinkTopic(node) ?? []))]
  const unknown = left.find((topic) => !written.includes(topic))
  if (unknown !== undefined) {
    throw new TidemarkError('USAGE', `--no-corrections ${unknown}: job ${name} does not write that topic`, {
      hint: written.length === 0 ? 'It writes none.' : `It writes ${written.join(', ')}.`,
    })
  }
  const open = written.filter((topic) => !owned.includes(topic) && !left.includes(topic))
  if (open.length === 0) return owned.filter((topic) => !left.includes(topic))
  const [are, them] = open.length === 1 ? ['is', 'it'] : ['are', 'them']
  throw new TidemarkError(
    'USAGE',
    `${open.join(' and ')} ${are} no table of the job's own: what was published there cannot be corrected, and stays`,
    {
      hint: `If readers can live with that, name ${them}: ${open.map((topic) => `--no-corrections=${topic}`).join(' ')}.`,
    },
  )
}
