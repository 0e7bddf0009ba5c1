import type { StagedBatch } from '../../ports/log.ts'
import type { MemoryCluster } from './log-cluster.ts'
import type { LogEntry, MemoryPartition } from './log-partition.ts'
import { acceptAll, appendAll } from './log-staging.ts'

/**
 * A foreign producer's transaction: what it appends holds readers of committed records back until it ends. Its end takes an offset, the marker's, in every partition that it wrote to.
 */
export class MemoryTransaction {
  readonly #cluster: MemoryCluster
  readonly #written = new Map<MemoryPartition, LogEntry[]>()

  constructor(cluster: MemoryCluster) {
    this.#cluster = cluster
  }

  append(batches: Iterable<StagedBatch>): void {
    for (const { partition, entry } of appendAll(this.#cluster, acceptAll(this.#cluster, batches), 'open')) {
      this.#written.set(partition, [...(this.#written.get(partition) ?? []), entry])
    }
  }

  commit(): void {
    this.#end('committed')
  }

  abort(): void {
    this.#end('aborted')
  }

  #end(state: 'committed' | 'aborted'): void {
    for (const [partition, entries] of this.#written) {
      for (const entry of entries) partition.replace(entry, { ...entry, state })
      partition.skip(1)
    }
    this.#written.clear()
  }
}
