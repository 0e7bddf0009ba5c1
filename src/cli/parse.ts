import yargs, { type Argv } from 'yargs'
import { EXIT } from '../core/error-codes.ts'
import { isTidemarkError } from '../core/errors.ts'
import type { Command, Outcome, Verb } from './command.ts'
import { type GlobalOptions, globalOptions } from './global-options.ts'
import type { Io } from './io.ts'
import { checkOptions, misused } from './usage.ts'

/** Finds the verb that `argv` calls, loads it and runs it. Resolves to the exit status; throws what the verb throws. */
export async function runVerb(
  argv: readonly string[],
  verbs: readonly Verb[],
  io: Io,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const call: Call = { usage: 'tidemark <command>', run: undefined }
  const parser = await addVerbs(globalOptions(makeParser(argv, call), env), verbs, call, 'tidemark')
  if (argv.length === 0) {
    io.notice(await parser.getHelp())
    return EXIT.usage
  }
  keepNoHelp(parser)
  try {
    await parser.parseAsync()
  } catch (error) {
    // Some complaints of yargs do not come by way of its `fail`.
    throw error instanceof Error && error.name === 'YError' ? misused(error.message, call.usage) : error
  }
  return (await call.run?.(io)) ?? EXIT.ok
}

/** yargs writes the help of each verb that it finds, in case that it is asked for later, which takes as long as parsing. */
function keepNoHelp(parser: object): void {
  const { getInternalMethods } = parser as {
    getInternalMethods?: () => { getUsageInstance?: () => { cacheHelpMessage?: () => void } }
  }
  const usage = getInternalMethods?.call(parser).getUsageInstance?.()
  if (usage !== undefined) usage.cacheHelpMessage = () => {}
}

/** What parsing finds out. */
interface Call {
  /** How the innermost verb is called. */
  usage: string
  /** Nothing where help was asked for. */
  run: ((io: Io) => Promise<Outcome>) | undefined
}

function makeParser(argv: readonly string[], call: Call): Argv {
  return (
    yargs([...argv])
      .scriptName('tidemark')
      .usage('$0 <command>')
      .parserConfiguration({
        'parse-numbers': false,
        // An option may be called no-…: it is not the opposite of another one.
        'boolean-negation': false,
        'parse-positional-numbers': false,
        'dot-notation': false,
        'strip-aliased': true,
      })
      .detectLocale(false)
      .exitProcess(false)
      .fail((message: string | null, error: unknown) => {
        if (isTidemarkError(error)) throw error
        const complaint = message || (error instanceof Error && error.name === 'YError' ? error.message : '')
        throw complaint ? misused(complaint, call.usage) : error
      })
      .strict()
      .check(checkOptions, true)
      .version(false)
      .alias('help', 'h')
      // The group that is made first is shown first: a verb's own options before those that all have.
      .group('help', 'Options:')
      .wrap(Math.min(100, process.stdout.columns ?? 100))
  )
}

async function addVerbs(
  parser: Argv<GlobalOptions>,
  verbs: readonly Verb[],
  call: Call,
  path: string,
): Promise<Argv<GlobalOptions>> {
  for (const verb of verbs) {
    let loaded: Command | readonly Verb[] = []
    const describe = (inner: Argv) => {
      call.usage = `${path} ${verb.usage.replace(DEFAULT, '')}`
      // The options of the outer parser are global: the inner one has them too.
      const sub = inner as Argv<GlobalOptions>
      return isCommand(loaded) ? loaded.options(sub) : addVerbs(sub, loaded, call, call.usage)
    }
    const isDefault = DEFAULT.test(verb.usage)
    // yargs shows no help of a default verb that it has to wait for.
    if (isDefault) loaded = await verb.load()
    parser.command(
      verb.usage,
      verb.summary,
      isDefault
        ? describe
        : async (inner: Argv) => {
            loaded = await verb.load()
            return describe(inner)
          },
      (args) => {
        const found = loaded
        if (isCommand(found)) call.run = (io) => found.run(args as unknown as GlobalOptions, io)
      },
    )
  }
  return parser.demandCommand(1, 'a command is missing').recommendCommands()
}

/** Marks the verb that is meant where none is named. */
const DEFAULT = /^\$0 /

function isCommand(loaded: Command | readonly Verb[]): loaded is Command {
  return !Array.isArray(loaded)
}
