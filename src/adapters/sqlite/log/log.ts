import { randomUUID } from 'node:crypto'
import type { PartitionRange, TopicPartition } from '../../../core/offsets.ts'
import type { Ids } from '../../../ports/clock.ts'
import type {
  Isolation,
  Log,
  LogAdmin,
  LogReader,
  LogWatch,
  PartitionBounds,
  ReadOptions,
  TimeQuery,
  TopicDescription,
} from '../../../ports/log.ts'
import type { Outside } from '../../../ports/outside.ts'
import { settingsInForce } from '../../log-rules/topic-settings.ts'
import { SqliteLogAdmin } from './log-admin.ts'
import { LogFile, type LogFileLimits } from './log-file.ts'
import { SqliteOutside } from './log-outside.ts'
import { SqliteLogReader } from './log-reader.ts'
import { SqliteLogWatch } from './log-watch.ts'
import type { TopicRow } from './topic-rows.ts'

export interface SqliteLogOptions extends LogFileLimits {
  /** Where the ids of topics come from. */
  readonly ids?: Ids
}

/**
 * The embedded log: one SQLite file. It is opened at first use and made with its first topic; asking a log that is not
 * there throws LOG_UNREACHABLE. Several processes may read and write one file. There are no transactions but commits,
 * so both isolations see the same.
 */
export class SqliteLog implements Log {
  readonly keepsChangelogs = false
  readonly #file: LogFile
  readonly #ids: Ids

  private constructor(file: LogFile, ids: Ids) {
    this.#file = file
    this.#ids = ids
  }

  /** Touches no file yet. */
  static open(path: string, options: SqliteLogOptions = {}): SqliteLog {
    return new SqliteLog(new LogFile(path, options), options.ids ?? { uuid: () => randomUUID() })
  }

  async clusterId(): Promise<string> {
    return this.#file.read(({ topics }) => topics.clusterId())
  }

  async describe(names?: readonly string[]): Promise<readonly TopicDescription[]> {
    return this.#file.read(({ topics }) => {
      const rows = names === undefined ? topics.all() : names.flatMap((name) => topics.find(name) ?? [])
      return rows.map(description)
    })
  }

  async bounds(asked: readonly TopicPartition[], _isolation: Isolation): Promise<readonly PartitionBounds[]> {
    return this.#file.read(({ topics }) =>
      asked.map(({ topic, partition }) => {
        const { logStart, highWatermark } = topics.partition({ topic, partition })
        return { topic, partition, start: logStart, end: highWatermark, highWatermark }
      }),
    )
  }

  async offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]> {
    return this.#file.read(({ topics, batches }) =>
      queries.map((query) => {
        const { number, logStart, highWatermark } = topics.partition(query)
        const found = batches.firstAtTime(number, logStart, query.timestamp)
        return found === undefined ? highWatermark : Math.max(found, logStart)
      }),
    )
  }

  reader(ranges: readonly PartitionRange[], options: ReadOptions): LogReader {
    return new SqliteLogReader(this.#file, ranges, options)
  }

  watch(_isolation: Isolation): LogWatch {
    return new SqliteLogWatch(this.#file)
  }

  async outside(job: string, key: string): Promise<Outside> {
    return new SqliteOutside(this.#file, job, key)
  }

  admin(): LogAdmin {
    return new SqliteLogAdmin(this.#file, this.#ids)
  }

  async obstacles(): Promise<readonly string[]> {
    return []
  }

  async close(): Promise<void> {
    this.#file.close()
  }
}

/** A topic's row, as the port describes it. */
export function description({ name, id, partitions, settings }: TopicRow): TopicDescription {
  return { name, id, partitions, settings: settingsInForce(settings) }
}
