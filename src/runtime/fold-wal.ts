import type { RunRow } from '../ports/history.ts'
import type { StateFile } from '../ports/state-file.ts'

/**
 * Empties the WAL of a generation's file when a run has ended. Where a reader pins it, the run's row says so: as long as
 * that reader stays, the WAL grows with every commit.
 */
export function foldWal(file: StateFile, path: string, run: RunRow): RunRow {
  const bytes = file.truncateWal()
  if (bytes === 0) return run
  const notice = `another process reads ${path} and keeps its WAL from being emptied: ${bytes} bytes so far`
  const noticed = { ...run, notices: [...run.notices, notice] }
  file.putRun(noticed)
  return noticed
}
