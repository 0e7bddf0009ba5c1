import { TidemarkError } from './core/errors.ts'
import type { Log } from './ports/log.ts'

/** Opens the log at an address, `sqlite:PATH`. Throws CONFIG_INVALID for another address. */
export async function openLog(url: string): Promise<Log> {
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  if (path === undefined) throw notALog(url)
  const { SqliteLog } = await import('./adapters/sqlite/log.ts')
  return SqliteLog.open(path)
}

function notALog(url: string): TidemarkError {
  const kafka = url.startsWith('kafka:')
  return new TidemarkError('CONFIG_INVALID', `there is no log at ${JSON.stringify(url)}`, {
    hint: kafka
      ? 'Apache Kafka is not supported yet. Use the embedded log: sqlite:PATH.'
      : 'Give --log or TIDEMARK_LOG as sqlite:PATH, for instance sqlite:.tidemark/log.db.',
  })
}

/** Reads and writes files. */
export type Files = Awaited<ReturnType<typeof openFiles>>

export async function openFiles() {
  const [{ csvBlocks }, { lineBlocks, storedBytes }, { BatchSpool }] = await Promise.all([
    import('./adapters/files/csv-blocks.ts'),
    import('./adapters/files/line-blocks.ts'),
    import('./adapters/files/batch-spool.ts'),
  ])
  return { csvBlocks, lineBlocks, storedBytes, BatchSpool }
}
