import { openLog } from '../compose.ts'
import type { Log } from '../ports/log.ts'
import type { GlobalOptions } from './global-options.ts'

/** Opens the log that the options name, and closes it however `use` ends. */
export async function withLog<T>(options: Pick<GlobalOptions, 'log'>, use: (log: Log) => Promise<T>): Promise<T> {
  const log = await openLog(options.log)
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}
