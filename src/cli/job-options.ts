import type { Argv } from 'yargs'
import type { GlobalOptions } from './global-options.ts'

export interface JobOptions extends GlobalOptions {
  /** A name in the jobs folder, or a file. */
  readonly job: string
  readonly jobs: string
}

/** What every verb about one job takes. */
export function jobOptions(yargs: Argv<GlobalOptions>): Argv<JobOptions> {
  return yargs
    .positional('job', { type: 'string', demandOption: true, describe: 'a name in the jobs folder, or a file' })
    .option('jobs', {
      type: 'string',
      default: process.env['TIDEMARK_JOBS'] || 'jobs',
      defaultDescription: 'TIDEMARK_JOBS, or jobs',
      describe: 'the folder that job names are looked up in',
    }) as unknown as Argv<JobOptions>
}
