import { decodeCheckpoint } from '../../core/checkpoint.ts'
import type { Plan } from '../../planner/plan-types.ts'
import type { StateDirectory } from '../../ports/state-file.ts'
import { liveCheckpoint } from '../live-checkpoint.ts'
import { readGeneration } from '../read-generation.ts'
import type { Session } from '../session.ts'

/**
 * The partitions of every exchange of a job: those of its largest source at the job's first run, whichever generation
 * that was of, and the same for all generations since.
 */
export function exchangePartitionsOf({ checkpoint, env, loaded }: Session, plan: Plan): number {
  if (checkpoint !== null) return checkpoint.exchangePartitions
  const { name } = loaded.job
  const live = liveCheckpoint(env, name)?.checkpoint
  const inherited = live?.exchangePartitions ?? partitionsOfAny(env.state, name)
  return inherited ?? Math.max(1, ...plan.partitions.map(({ partition }) => partition + 1))
}

function partitionsOfAny(state: StateDirectory, job: string): number | null {
  for (const generation of state.generations(job)) {
    const stored = readGeneration(state, job, generation, (file) => file?.checkpoint())
    if (stored !== undefined) return decodeCheckpoint(stored.bytes).exchangePartitions
  }
  return null
}
