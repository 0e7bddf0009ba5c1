import { parsePlan } from '../planner/parse-plan.ts'
import type { RunRow } from '../ports/history.ts'
import type { RestoreProgress } from '../runtime/changelogs/restore-watch.ts'
import type { Io } from './io.ts'
import { NO_PROGRESS, type Progress } from './output/progress.ts'

export interface RunProgress {
  /** The row of the run under way, as last told. */
  last: RunRow | undefined
  readonly update: (run: RunRow) => void
  /** For the restore that may come before a run. */
  readonly restore: RestoreProgress
  readonly stop: () => void
}

/** A bar over the offsets of the restore or the plan that is being carried out, where stderr is a terminal. */
export function runProgress(io: Pick<Io, 'progress'>): RunProgress {
  let bar: Progress = NO_PROGRESS
  let barOf: string | undefined
  const start = async (run: RunRow) => {
    const offsets = parsePlan(run.plan).partitions.reduce((sum, { from, to }) => sum + to - from, 0)
    bar = await io.progress(offsets, 'records')
  }
  const startRestore = async (offsets: number) => {
    bar = await io.progress(offsets, 'records')
  }
  const progress: RunProgress = {
    last: undefined,
    update: (run) => {
      progress.last = run
      if (run.status === 'running' && barOf !== run.runId) {
        barOf = run.runId
        void start(run)
      }
      bar.update(run.partitions.reduce((sum, { from, to }) => sum + to - from, 0))
      if (run.status !== 'running') bar.stop()
    },
    restore: (offsets, of) => {
      if (offsets === 0 && of > 0) void startRestore(of)
      bar.update(offsets)
      if (offsets === of) bar.stop()
    },
    stop: () => bar.stop(),
  }
  return progress
}
