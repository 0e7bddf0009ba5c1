import type { Log } from '../../../src/ports/log.ts'
import type { Ended, Started } from '../helpers/tidemark.ts'
import { tableFrom } from './table-from.ts'

/** A folder with the two versions of the job, and a log. */
export interface Place {
  readonly folder: string
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started
  openLog(): Log
  readonly topics: { readonly sales: string; readonly totals: string }
}

/** Runs the binary to its end; throws where it does not end with 0. */
export async function call(place: Place, ...args: readonly string[]): Promise<Ended> {
  const ended = await place.start(args).ended
  if (ended.status !== 0) throw new Error(`tidemark ${args.join(' ')} ended with ${ended.status}\n${ended.stderr}`)
  return ended
}

export async function answer<T>(place: Place, ...args: readonly string[]): Promise<T> {
  return JSON.parse((await call(place, ...args, '--json')).stdout) as T
}

/** What a read-committed reader of the table has seen, as `key=value` in order, and what it then has. */
export async function publishedBy(place: Place): Promise<{
  readonly said: readonly string[]
  readonly table: Readonly<Record<string, number>>
}> {
  const log = place.openLog()
  try {
    return await tableFrom(log, place.topics.totals)
  } finally {
    await log.close()
  }
}
