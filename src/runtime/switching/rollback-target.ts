import { TidemarkError } from '../../core/errors.ts'
import type { Environment } from '../environment.ts'
import { readGeneration } from '../read-generation.ts'
import { requireLive } from './candidate.ts'
import { lastSwitch } from './switched-event.ts'

/**
 * The generation that was live before the one that is live now; the live one itself where that is a rollback's already, which
 * asked again goes no further. Throws USAGE where there is none, or it is not kept.
 */
export function rollbackTarget({ state }: Pick<Environment, 'state'>, job: string): string {
  const jobFile = state.jobFile(job)
  try {
    const live = requireLive(jobFile, job)
    const switched = readGeneration(state, job, live.name, (file) => file && lastSwitch(file))
    if (switched?.how === 'rollback') return live.name
    const from = switched?.from
    if (from !== undefined && jobFile.generations().some(({ name }) => name === from)) return from
    throw new TidemarkError('USAGE', `${job} has no generation to go back to`, {
      hint:
        from === undefined
          ? `${live.name} has been live from the beginning.`
          : `${from}, which was live before ${live.name}, is not kept any more.`,
      at: { job },
    })
  } finally {
    jobFile.close()
  }
}
