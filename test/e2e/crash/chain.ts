import type { Log } from '../../../src/ports/log.ts'
import type { Started } from '../helpers/tidemark.ts'

/** Runs of the till one after the other, each killed but the last: they work on one state, and on outputs of their own. */
export interface Chain {
  readonly folder: string
  /** The name of the job. */
  readonly job: string
  /** The name that a topic which the job writes has in the log. */
  output(topic: string): string
  /** Starts the binary. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started
  /** Opens the log to read it: whoever does that closes it. */
  openLog(): Log
}
