import type { Isolation, LogWatch, PartitionPosition } from '../../ports/log.ts'
import type { MemoryCluster } from './log-cluster.ts'
import type { MemoryPartition } from './log-partition.ts'

/** Waits for what other handles of the same process do to the log. */
export class MemoryLogWatch implements LogWatch {
  readonly #cluster: MemoryCluster
  readonly #isolation: Isolation
  #wake: (() => void) | undefined

  constructor(cluster: MemoryCluster, isolation: Isolation) {
    this.#cluster = cluster
    this.#isolation = isolation
  }

  async arrival(positions: readonly PartitionPosition[], waitMs: number, signal?: AbortSignal): Promise<void> {
    const watched = positions.flatMap(({ topic, partition, offset }) => {
      const found = this.#cluster.topics.get(topic)?.partitions[partition]
      return found === undefined ? [] : [{ partition: found, offset }]
    })
    const isThere = () => watched.some(({ partition, offset }) => partition.endFor(this.#isolation) > offset)
    if (isThere() || signal?.aborted === true || watched.length < positions.length) return
    const partitions = watched.map(({ partition }) => partition)
    await this.#change(partitions, isThere, waitMs, signal)
  }

  async close(): Promise<void> {
    this.#wake?.()
  }

  async #change(
    partitions: readonly MemoryPartition[],
    isThere: () => boolean,
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    let wake = () => {}
    const look = () => {
      if (isThere()) wake()
    }
    await new Promise<void>((resolve) => {
      wake = resolve
      this.#wake = resolve
      timer = setTimeout(resolve, waitMs)
      signal?.addEventListener('abort', resolve as () => void, { once: true })
      for (const { watchers } of partitions) watchers.add(look)
    })
    clearTimeout(timer)
    signal?.removeEventListener('abort', wake)
    for (const { watchers } of partitions) watchers.delete(look)
    this.#wake = undefined
  }
}
