import { openEnvironment } from '../../compose.ts'
import { Backfill } from '../../runtime/backfill/backfill.ts'
import { runReport } from '../../runtime/run-report.ts'
import { backfillOptions, backfillRequest } from '../backfill-options.ts'
import { backfillProgress } from '../backfill-progress.ts'
import { command } from '../command.ts'
import { loadJobOf } from '../load-job-of.ts'
import { backfillInWords, plannedBackfillInWords } from '../output/backfill-words.ts'
import { printing } from '../output/printing.ts'
import { stopOnSignal } from '../stop-on-signal.ts'

export const backfill = command(backfillOptions, async (args, io) => {
  const request = backfillRequest(args)
  const loaded = await loadJobOf(args)
  const env = printing(await openEnvironment(args), io)
  const { name } = loaded.job
  const progress = backfillProgress(io)
  try {
    const backfill = new Backfill(env)
    if (args.dryRun) {
      const planned = await backfill.plan(loaded, request)
      io.result({ job: name, ...planned }, () => plannedBackfillInWords(name, planned))
      return undefined
    }
    const stop = stopOnSignal(io.stopSignal())
    const { plan: onPlan, update: onProgress } = progress
    const came = await backfill.run(loaded, { ...request, stop, onPlan, onProgress })
    progress.stop()
    const records = came.runs.reduce((sum, run) => sum + run.records, 0)
    io.result({ job: name, ...came, records, runs: came.runs.map((run) => runReport(run)) }, () =>
      backfillInWords(name, came),
    )
    return undefined
  } catch (error) {
    progress.stop()
    const { last } = progress
    if (last !== undefined) {
      io.notice(`part ${last.part + 1} did not end; the same command goes on from what is committed`)
      if (io.json) io.result(runReport(last.run), () => '')
    }
    throw error
  } finally {
    await env.log.close()
  }
})
