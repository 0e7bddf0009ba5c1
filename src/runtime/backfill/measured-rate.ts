import type { RunRow } from '../../ports/history.ts'

/** So many runs say how fast a job is; older ones had other machines, and other jobs. */
const RUNS_LOOKED_AT = 20

/** Records a second, by the newest runs that read some; null where none did. Rests that a rate had asked for count too. */
export function measuredRate(runs: readonly RunRow[]): number | null {
  let records = 0
  let ms = 0
  const told = runs.filter((run) => run.status === 'done' && run.records > 0 && (run.durationMs ?? 0) > 0)
  for (const run of told.slice(0, RUNS_LOOKED_AT)) {
    if (run.trigger === 'stream' || run.durationMs === null) continue // a stream waits most of the time
    records += run.records
    ms += run.durationMs
  }
  return ms === 0 ? null : (records / ms) * 1000
}
