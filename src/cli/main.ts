import { setImmediate } from 'node:timers/promises'
import { EXIT } from '../core/error-codes.ts'
import { isTidemarkError } from '../core/errors.ts'
import { asFailure, asUnhandled, failureInWords } from './failure.ts'
import { processIo } from './process-io.ts'

/** Runs the command line `argv` (without node and script) and ends the process with its exit status. */
export async function main(argv: readonly string[]): Promise<void> {
  // Holds where the event loop runs dry before the command has ended, as with a promise that nobody settles.
  process.exitCode = EXIT.userCode
  const io = processIo(argv.includes('--json'))
  const fail = (thrown: unknown): number => {
    const failure = asFailure(thrown)
    if (io.json && !io.answered) io.result({ error: failure }, () => '')
    const colors = process.stderr.isTTY === true && !process.env.NO_COLOR
    io.notice(failureInWords(failure, { colors, debug: Boolean(process.env.TIDEMARK_DEBUG) }))
    return failure.exit
  }
  process.on('uncaughtException', (thrown) => process.exit(fail(thrown)))
  process.on('unhandledRejection', (thrown) => process.exit(fail(asUnhandled(thrown))))
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader went away (`| head`): nobody is left to be told.
    process.exit(error.code === 'EPIPE' ? EXIT.io : fail(error))
  })
  const status = await run(argv, io).catch(fail)
  await setImmediate() // a rejection that nobody awaits is told in a turn of the event loop, and there may have been none
  await flushed(process.stdout)
  process.exit(status)
}

async function run(argv: readonly string[], io: ReturnType<typeof processIo>): Promise<number> {
  if (argv.includes('--version') && argv.every((word) => word === '--version' || word === '--json')) {
    const { version } = await import('./version.ts')
    io.result({ version: version() }, version)
    return EXIT.ok
  }
  const [{ runVerb }, { VERBS }] = await Promise.all([import('./parse.ts'), import('./verbs.ts')])
  for (let time = 1; ; time++) {
    try {
      return await runVerb(argv, VERBS, io, process.env)
    } catch (error) {
      // Another generation was found to be live: it has a job file of its own.
      if (!isTidemarkError(error, 'GENERATION_SWITCHED') || time === 3) throw error
    }
  }
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}
