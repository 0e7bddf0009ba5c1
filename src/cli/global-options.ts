import type { Argv } from 'yargs'

export const DEFAULT_LOG = 'sqlite:.tidemark/log.db'
export const DEFAULT_STATE_DIR = '.tidemark'

/** What every verb may be told. */
export interface GlobalOptions {
  readonly json: boolean
  /** Where the log is: `sqlite:PATH`, ... */
  readonly log: string
  readonly stateDir: string
}

export function globalOptions(yargs: Argv, env: NodeJS.ProcessEnv): Argv<GlobalOptions> {
  const declared = yargs
    .option('log', {
      type: 'string',
      default: env.TIDEMARK_LOG || DEFAULT_LOG,
      defaultDescription: `TIDEMARK_LOG, or ${DEFAULT_LOG}`,
      describe: 'where the log is: sqlite:PATH or kafka://HOST:PORT',
      global: true,
      group: GENERAL,
    })
    .option('state-dir', {
      type: 'string',
      default: env.TIDEMARK_STATE_DIR || DEFAULT_STATE_DIR,
      defaultDescription: `TIDEMARK_STATE_DIR, or ${DEFAULT_STATE_DIR}`,
      describe: 'where state is kept',
      global: true,
      group: GENERAL,
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'print one JSON document on stdout',
      global: true,
      group: GENERAL,
    })
  // yargs adds `stateDir` for `state-dir` by itself.
  return declared as unknown as Argv<GlobalOptions>
}

export const GENERAL = 'General:'
