import { openEnvironment } from '../../compose.ts'
import { durationMs } from '../../core/duration.ts'
import { preflight } from '../../runtime/preflight.ts'
import { runReport } from '../../runtime/run-report.ts'
import { Runner, type RunOutcome } from '../../runtime/runner.ts'
import { command } from '../command.ts'
import { loadJobOf } from '../load-job-of.ts'
import { printPlan } from '../output/plan-words.ts'
import { printing } from '../output/printing.ts'
import { runInWords } from '../output/run-words.ts'
import { runOptions, runRequest } from '../run-options.ts'
import { runProgress } from '../run-progress.ts'
import { barsOf, scheduledRunOptions, stopOf } from '../scheduled-run.ts'
import { stopOnSignal } from '../stop-on-signal.ts'

export const run = command(
  (yargs) =>
    scheduledRunOptions(runOptions(yargs))
      .option('wait-for-transactions', {
        type: 'string',
        requiresArg: true,
        describe: 'how long to wait first for open transactions that hold back input: 30s',
      })
      .option('dry-run', { type: 'boolean', default: false, describe: 'show the plan and read nothing' }),
  async (args, io) => {
    // The log is connected to while the job is loaded. What is wrong with the job is told first.
    const opening = openEnvironment(args)
    opening.catch(() => {})
    const loaded = await loadJobOf(args)
    const env = printing(await opening, io)
    const runner = new Runner(env)
    const request = { ...runRequest(args), ...waitOf(args), trigger: args.trigger }
    const progress = runProgress(barsOf(args, io))
    try {
      if (args.dryRun) {
        printPlan(await runner.plan(loaded, request), await preflight(env, loaded), io)
        return undefined
      }
      const stop = stopOnSignal(stopOf(args, io))
      const { outcome, runs } = await runner.run(loaded, {
        ...request,
        stop,
        onProgress: progress.update,
        onRestore: progress.restore,
      })
      progress.stop()
      io.result(runDocument(runs, outcome), () => runs.map((run) => runInWords(run, outcome)).join('\n\n'))
      return undefined
    } catch (error) {
      progress.stop()
      const { last } = progress
      if (io.json && last !== undefined) io.result(runReport(last), () => '')
      throw error
    } finally {
      await env.log.close()
    }
  },
)

/** The report of the run that was asked for, with that of an earlier run which had to be finished first. */
function runDocument(runs: RunOutcome['runs'], outcome: RunOutcome['outcome']) {
  const [last, ...earlier] = runs.map(runReport).reverse()
  return { ...last, outcome, ...(earlier.length === 0 ? {} : { finishedFirst: earlier.reverse() }) }
}

function waitOf({ waitForTransactions: wait }: { readonly waitForTransactions: string | undefined }) {
  return wait === undefined ? {} : { waitForTransactionsMs: durationMs(wait, '--wait-for-transactions') }
}
