import type { PartitionRange, TopicPartition } from '../../core/offsets.ts'
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
} from '../../ports/log.ts'
import type { Outside } from '../../ports/outside.ts'
import { MemoryLogAdmin } from './log-admin.ts'
import type { MemoryCluster } from './log-cluster.ts'
import { MemoryOutside } from './log-outside.ts'
import { MemoryLogReader } from './log-reader.ts'
import { MemoryLogWatch } from './log-watch.ts'

/** A handle on a log in memory, as a process has it. */
export class MemoryLog implements Log {
  readonly #cluster: MemoryCluster

  readonly keepsChangelogs: boolean

  /** `keepsChangelogs` as for a log on other machines; by default as for one on this machine. */
  constructor(cluster: MemoryCluster, keepsChangelogs = false) {
    this.#cluster = cluster
    this.keepsChangelogs = keepsChangelogs
  }

  async clusterId(): Promise<string> {
    return this.#cluster.id
  }

  async describe(names?: readonly string[]): Promise<readonly TopicDescription[]> {
    const { topics } = this.#cluster
    const asked = names ?? [...topics.keys()].sort()
    return asked.flatMap((name) => topics.get(name)?.describe() ?? [])
  }

  async bounds(asked: readonly TopicPartition[], isolation: Isolation): Promise<readonly PartitionBounds[]> {
    return asked.map(({ topic, partition }) => {
      const found = this.#cluster.partition({ topic, partition })
      const { logStart, highWatermark } = found
      return { topic, partition, start: logStart, end: found.endFor(isolation), highWatermark }
    })
  }

  async offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]> {
    return queries.map((query) => {
      const { entries, logStart, highWatermark } = this.#cluster.partition(query)
      // Aborted ones count, as on a broker: a reader of uncommitted records sees them.
      const entry = entries.find(({ maxTimestamp }) => maxTimestamp >= query.timestamp)
      return entry === undefined ? highWatermark : Math.max(entry.baseOffset, logStart)
    })
  }

  reader(ranges: readonly PartitionRange[], options: ReadOptions): LogReader {
    return new MemoryLogReader(this.#cluster, ranges, options)
  }

  watch(isolation: Isolation): LogWatch {
    return new MemoryLogWatch(this.#cluster, isolation)
  }

  async outside(job: string, key: string): Promise<Outside> {
    return new MemoryOutside(this.#cluster, this.#cluster.commits(job, key))
  }

  admin(): LogAdmin {
    return new MemoryLogAdmin(this.#cluster)
  }

  async obstacles(): Promise<readonly string[]> {
    return []
  }

  async close(): Promise<void> {}
}
