import type { ArgumentsCamelCase, Argv } from 'yargs'
import type { GlobalOptions } from './global-options.ts'
import type { Io } from './io.ts'

/** An exit status (`EXIT`), or nothing for 0. */
export type Outcome = number | undefined

/** What a verb does, in a file of its own that is loaded when the verb is called. */
export interface Command {
  options(yargs: Argv<GlobalOptions>): Argv<GlobalOptions>
  run(args: GlobalOptions, io: Io): Promise<Outcome>
}

/**
 * A command whose `run` sees its options with the types that `options` declares, also in camel case. Called for its effect
 * on types: a file in `commands/` exports what it returns.
 */
export function command<T extends GlobalOptions>(
  options: (yargs: Argv<GlobalOptions>) => Argv<T>,
  run: (args: ArgumentsCamelCase<T>, io: Io) => Promise<Outcome>,
): Command {
  return {
    options: (yargs) => options(yargs) as unknown as Argv<GlobalOptions>,
    // The arguments were parsed by the very options above, which the table of verbs cannot say in its types.
    run: (args, io) => run(args as unknown as ArgumentsCamelCase<T>, io),
  }
}

/** A verb as the table of verbs knows it, before its file is loaded. */
export interface Verb {
  /** Name and positional arguments, as yargs writes them: `run <job>`. */
  readonly usage: string
  readonly summary: string
  /** The command, or the verbs below this one. */
  load(): Promise<Command | readonly Verb[]>
}
