import { once } from 'node:events'
import { TidemarkError } from '../core/errors.ts'
import type { Io } from './io.ts'
import { jsonDocument } from './output/json.ts'
import { NO_PROGRESS } from './output/progress.ts'
import { writeAll } from './output/write-all.ts'

/** The way to the person or program on the other side of this process. */
export function processIo(json: boolean): Io & { readonly answered: boolean } {
  let answered = false
  let stop: AbortSignal | undefined
  return {
    json,
    get answered() {
      return answered
    },
    result(document, words) {
      if (answered) throw new Error('a command has one result')
      answered = true
      if (json) process.stdout.write(jsonDocument(document, process.stdout.isTTY))
      else process.stdout.write(withEndOfLine(words()))
    },
    async write(bytes) {
      if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
    },
    pieces(texts) {
      if (answered) throw new Error('a command has one result')
      for (const text of texts) {
        answered = true
        writeAll(process.stdout.fd, text)
      }
    },
    line(text) {
      process.stdout.write(`${text}\n`)
    },
    async taken() {
      for (const stream of [process.stdout, process.stderr]) if (stream.writableNeedDrain) await drained(stream, stop)
    },
    notice(text) {
      process.stderr.write(withEndOfLine(text))
    },
    async progress(total, unit) {
      if (!process.stderr.isTTY) return NO_PROGRESS
      const { progressBar } = await import('./output/progress-bar.ts')
      return progressBar(process.stderr, total, unit)
    },
    stopSignal() {
      stop ??= abortedBySignals()
      return stop
    },
    now: () => Date.now(),
  }
}

async function drained(stream: NodeJS.WriteStream, stop: AbortSignal | undefined): Promise<void> {
  if (stop?.aborted) return
  try {
    await once(stream, 'drain', stop === undefined ? {} : { signal: stop })
  } catch (error) {
    if (!stop?.aborted) throw error
  }
}

function withEndOfLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function abortedBySignals(): AbortSignal {
  const controller = new AbortController()
  const stopOn = (signal: 'SIGINT' | 'SIGTERM', code: 'INTERRUPTED' | 'TERMINATED') => {
    process.on(signal, () => {
      const reason = new TidemarkError(code, `stopped by ${signal}`)
      if (controller.signal.aborted) process.exit(reason.exit)
      controller.abort(reason)
    })
  }
  stopOn('SIGINT', 'INTERRUPTED')
  stopOn('SIGTERM', 'TERMINATED')
  return controller.signal
}
