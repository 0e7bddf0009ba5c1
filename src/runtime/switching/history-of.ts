import { TidemarkError } from '../../core/errors.ts'
import type { Environment } from '../environment.ts'
import { type History, readHistory } from '../history/history.ts'

/** The history of a generation as it is committed here, read without a lock. Throws USAGE where it has none. */
export function historyOf({ state }: Pick<Environment, 'state'>, job: string, generation: string): History {
  const file = state.open(job, generation, { create: false, readonly: true })
  try {
    const history = file === undefined ? undefined : readHistory(generation, file)
    if (history !== undefined) return history
  } finally {
    file?.close()
  }
  throw new TidemarkError('USAGE', `generation ${generation} of ${job} has no history yet`, {
    hint: 'Run the job first.',
  })
}
