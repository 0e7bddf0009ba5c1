import type { RunRow } from '../ports/history.ts'
import type { PlannedBackfill } from '../runtime/backfill/backfill-request.ts'
import type { Io } from './io.ts'
import { NO_PROGRESS, type Progress } from './output/progress.ts'
import { countInWords, countOf, tookInWords } from './output/words.ts'

export interface BackfillProgress {
  /** The row of the run under way, as last told, and its part. */
  readonly last: { readonly run: RunRow; readonly part: number } | undefined
  readonly plan: (planned: PlannedBackfill) => void
  readonly update: (run: RunRow, part: number) => void
  readonly stop: () => void
}

/** A bar over the offsets of all parts where stderr is a terminal; else a line for each part, with the rate and the time left. */
export function backfillProgress(io: Pick<Io, 'progress' | 'notice' | 'now'>): BackfillProgress {
  let bar: Progress = NO_PROGRESS
  let planned: PlannedBackfill | undefined
  let last: BackfillProgress['last']
  let ended = 0
  const begunAt = io.now()
  const rateOf = (offsets: number) => (1000 * offsets) / Math.max(1, io.now() - begunAt)
  const tell = (run: RunRow, part: number) => {
    if (planned === undefined) return
    const { parts, offsets } = planned
    const rate = rateOf(ended)
    const left = offsets - ended
    const time = left <= 0 || rate === 0 ? '' : `, about ${tookInWords(Math.round((1000 * left) / rate))} left`
    const where = `part ${countInWords(part + 1)} of ${countInWords(parts.length)}, to ${parts[part]?.to ?? ''}`
    io.notice(`${where}: ${countOf(run.records, 'record')}, ${countInWords(Math.round(rate))} offsets/s${time}`)
  }
  return {
    get last() {
      return last
    },
    plan: (found) => {
      planned = found
      void io.progress(found.offsets, 'records').then((made) => {
        bar = made
      })
    },
    update: (run, part) => {
      last = { run, part }
      const inPart = run.partitions.reduce((sum, { from, to }) => sum + to - from, 0)
      if (run.status === 'running') {
        bar.update(ended + inPart, rateOf(ended + inPart))
        return
      }
      ended += run.status === 'done' ? inPart : 0
      bar.update(ended, rateOf(ended))
      if (run.status === 'done' && bar === NO_PROGRESS) tell(run, part)
    },
    stop: () => bar.stop(),
  }
}
