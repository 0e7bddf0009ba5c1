import type { Argv } from 'yargs'
import type { GlobalOptions } from './global-options.ts'
import { type JobOptions, jobOptions } from './job-options.ts'
import { type StateOptions, stateOptions } from './run-options.ts'

export interface StreamOptions extends JobOptions, StateOptions {
  readonly every: string
}

/** What a stream may be told. */
export function streamOptions(yargs: Argv<GlobalOptions>): Argv<StreamOptions> {
  return stateOptions(jobOptions(yargs)).option('every', {
    type: 'string',
    default: '50ms',
    requiresArg: true,
    describe: 'from one cut to the next, at least',
  }) as unknown as Argv<StreamOptions>
}
