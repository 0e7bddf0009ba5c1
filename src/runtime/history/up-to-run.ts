import { TidemarkError } from '../../core/errors.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { History } from './history.ts'

/**
 * The token's number of the commit in which a run ended, which is named by its id or the beginning of it. Throws USAGE for
 * one that the history does not tell of.
 */
export function upToRun(file: StateFile, history: History, run: string): number {
  const [runId, another] = file
    .runs()
    .map((row) => row.runId)
    .filter((id) => id.startsWith(run))
  if (runId === undefined || another !== undefined) {
    const why = runId === undefined ? `there is no run ${run} in this history` : `several runs begin with ${run}`
    throw new TidemarkError('USAGE', why, { hint: "'tidemark runs JOB' lists the runs." })
  }
  const step = history.steps.findLast((each) => each.kind === 'range' && each.rowId === runId)
  if (step !== undefined) return step.seq
  throw new TidemarkError('USAGE', `run ${runId} has committed nothing that the history tells`, {
    hint: 'A run that found nothing to read, or that failed before its first commit, leaves nothing to replay.',
  })
}

export function noHistory(job: string): TidemarkError {
  return new TidemarkError('USAGE', `job ${job} has committed nothing here`, { hint: 'Run it first.' })
}
