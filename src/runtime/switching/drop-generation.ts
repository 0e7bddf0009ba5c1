import { TidemarkError } from '../../core/errors.ts'
import type { Environment } from '../environment.ts'
import { asTidemarkError } from '../foreign-error.ts'
import { liveCheckpoint } from '../live-checkpoint.ts'
import { removeGeneration } from './clean-generations.ts'

export interface DroppedGeneration {
  readonly job: string
  readonly generation: string
  /** What it was: a range, a reprocessing, or live once. */
  readonly role: 'range' | 'reprocessed' | 'retired'
  readonly done: boolean
}

/**
 * Removes a generation that is not live, with its changelogs; with `dryRun` it only tells. Throws USAGE where there is none, or
 * it is needed; LOCKED where somebody has it open.
 */
export async function dropGeneration(
  env: Environment,
  job: string,
  generation: string,
  dryRun: boolean,
): Promise<DroppedGeneration> {
  const jobFile = env.state.jobFile(job)
  try {
    const role = jobFile.generations().find(({ name }) => name === generation)?.role
    if (role === undefined || role === 'live') {
      const what = role === undefined ? 'no generation' : 'the live generation'
      throw new TidemarkError('USAGE', `${generation} is ${what} of ${job}`, {
        hint: role === undefined ? "'tidemark status' lists them." : 'Only others can be removed.',
      })
    }
    if (liveCheckpoint(env, job)?.checkpoint?.corrections?.from === generation) {
      throw new TidemarkError('USAGE', `the corrections of a switch away from ${generation} are not finished`, {
        hint: `Any start of the job finishes them: tidemark run ${job}.`,
      })
    }
    if (!dryRun && !(await removeGeneration(env, job, jobFile, generation))) {
      throw new TidemarkError('LOCKED', `somebody has generation ${generation} open`, {
        hint: 'Try again when it ends.',
      })
    }
    return { job, generation, role, done: !dryRun }
  } catch (error) {
    throw asTidemarkError(error, job)
  } finally {
    jobFile.close()
  }
}
