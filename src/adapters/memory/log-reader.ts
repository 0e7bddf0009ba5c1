import type { PartitionRange } from '../../core/offsets.ts'
import type { Chunk, Isolation, LogReader, ReadOptions } from '../../ports/log.ts'
import { chunkBytes } from '../log-rules/chunk-bytes.ts'
import { endLost, startLost, topicReplaced } from '../log-rules/read-errors.ts'
import type { MemoryCluster } from './log-cluster.ts'
import type { MemoryPartition } from './log-partition.ts'

interface ReadState {
  readonly range: PartitionRange
  readonly topicId: string | undefined
  position: number
}

export class MemoryLogReader implements LogReader {
  readonly #cluster: MemoryCluster
  readonly #isolation: Isolation
  readonly #chunkBytes: number
  readonly #states: readonly ReadState[]

  constructor(cluster: MemoryCluster, ranges: readonly PartitionRange[], options: ReadOptions) {
    this.#cluster = cluster
    this.#isolation = options.isolation
    this.#chunkBytes = chunkBytes(options, ranges.length)
    this.#states = ranges.map((range) => {
      return { range, topicId: cluster.topics.get(range.topic)?.id, position: range.from }
    })
  }

  async next(index: number): Promise<Chunk | undefined> {
    const state = this.#states[index]
    if (state === undefined) throw new Error(`there is no range ${index}`)
    if (state.position >= state.range.to) return undefined
    const chunk = this.#chunk(this.#partition(state), state.position, state.range.to)
    state.position = chunk.nextOffset
    return chunk
  }

  async close(): Promise<void> {}

  #partition({ range, topicId, position }: ReadState): MemoryPartition {
    const topic = this.#cluster.topic(range.topic)
    if (topicId !== undefined && topic.id !== topicId) throw topicReplaced(range.topic)
    const partition = topic.partition(range)
    if (position < partition.logStart) throw startLost(range, position, partition.logStart)
    const end = partition.endFor(this.#isolation)
    if (range.to > end) throw endLost(range, range.to, end)
    return partition
  }

  #chunk(partition: MemoryPartition, from: number, to: number): Chunk {
    const batches: Uint8Array[] = []
    let left = this.#chunkBytes
    for (let i = partition.indexOf(from); i < partition.entries.length; i++) {
      const entry = partition.entries[i]
      if (entry === undefined || entry.baseOffset >= to) break
      if (entry.state !== 'committed' && this.#isolation === 'read_committed') continue
      if (batches.length > 0 && entry.bytes > left) return { batches, nextOffset: entry.baseOffset }
      batches.push(entry.batch)
      left -= entry.bytes
    }
    return { batches, nextOffset: to }
  }
}
