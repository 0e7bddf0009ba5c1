import type { StateFile } from '../ports/state-file.ts'
import { crashedRow } from './run-rows.ts'

/** The process of a run that is still called running is gone: the caller holds its lock. */
export function markCrashed(file: StateFile): void {
  for (const run of file.runs(undefined, 'running')) file.putRun(crashedRow(run))
}
