import type { Argv } from 'yargs'
import type { GlobalOptions } from './global-options.ts'

/** The option without which nothing is removed or changed for good: the command tells what it would do, and ends with 0. */
export function confirmOption<T extends GlobalOptions>(yargs: Argv<T>) {
  return yargs.option('yes', {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'do it; without this it only tells',
  })
}

/** What a command says that was not told to do it. */
export function notYet(wouldDo: string): string {
  return `${wouldDo}\n\nnothing is changed yet: say --yes to do it`
}
