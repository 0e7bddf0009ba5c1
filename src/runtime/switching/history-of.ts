import { TidemarkError } from '../../core/errors.ts'
import type { Environment } from '../environment.ts'
import { type History, readHistory } from '../history/history.ts'
import { readGeneration } from '../read-generation.ts'

/** The history of a generation as it is committed here, read without a lock. Throws USAGE where it has none. */
export function historyOf({ state }: Pick<Environment, 'state'>, job: string, generation: string): History {
  const history = readGeneration(state, job, generation, (file) => file && readHistory(generation, file))
  if (history !== undefined) return history
  throw new TidemarkError('USAGE', `generation ${generation} of ${job} has no history yet`, {
    hint: 'Run the job first.',
  })
}
