import { openEnvironment } from '../../compose.ts'
import { durationMs } from '../../core/duration.ts'
import { isTidemarkError } from '../../core/errors.ts'
import { runReport } from '../../runtime/run-report.ts'
import { Runner } from '../../runtime/runner.ts'
import { command } from '../command.ts'
import { loadJobOf } from '../load-job-of.ts'
import { printing } from '../output/printing.ts'
import { runInWords } from '../output/run-words.ts'
import { runProgress } from '../run-progress.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { streamOptions } from '../stream-options.ts'

/** Runs until it is stopped: a signal is its ordinary end, and tells by the exit status which one it was. */
export const stream = command(streamOptions, async (args, io) => {
  const loaded = await loadJobOf(args)
  const env = printing(await openEnvironment(args), io)
  const progress = runProgress({ progress: io.progress })
  const { init, takeOver, acceptTopic, skip, onDataLoss } = args
  try {
    const { runs } = await new Runner(env).run(loaded, {
      trigger: 'stream',
      endless: true,
      everyMs: durationMs(args.every, '--every'),
      ...{ init, takeOver, acceptTopics: acceptTopic, skip, onDataLoss },
      stop: stopOnSignal(io.stopSignal()),
      onProgress: (row) => progress.update(row),
      onRestore: progress.restore,
      onCaughtUp: () => {
        progress.stop()
        io.notice(`${loaded.job.name} has caught up and takes what comes; Ctrl-C stops it`)
      },
    })
    throw new Error(`a stream ended by itself after ${runs.length} runs`)
  } catch (error) {
    progress.stop()
    const { last } = progress
    const isStopped = isTidemarkError(error, 'INTERRUPTED') || isTidemarkError(error, 'TERMINATED')
    if (isStopped && last !== undefined) {
      io.result(runReport(last), () => runInWords(last))
      return error.exit
    }
    if (io.json && last !== undefined) io.result(runReport(last), () => '')
    throw error
  } finally {
    await env.log.close()
  }
})
