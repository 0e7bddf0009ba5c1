import type { Argv } from 'yargs'
import { TidemarkError } from '../core/errors.ts'
import type { GlobalOptions } from './global-options.ts'

/** The option without which nothing is removed or changed for good. */
export function confirmOption<T extends GlobalOptions>(yargs: Argv<T>) {
  return yargs.option('yes', {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'do it; without, say what would be done',
  })
}

/** Throws USAGE, saying what would be done, unless `--yes` was given. */
export function requireConfirmed(args: { readonly yes: boolean }, wouldDo: string): void {
  if (args.yes) return
  throw new TidemarkError('USAGE', wouldDo, { hint: 'Nothing was done. Add --yes to do it.' })
}
