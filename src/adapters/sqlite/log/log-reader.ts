import type { PartitionRange } from '../../../core/offsets.ts'
import type { Chunk, LogReader, ReadOptions } from '../../../ports/log.ts'
import { chunkBytes } from '../../log-rules/chunk-bytes.ts'
import { endLost, startLost, topicReplaced } from '../../log-rules/read-errors.ts'
import type { LogFile } from './log-file.ts'
import type { LogTables } from './log-tables.ts'

interface ReadState {
  readonly range: PartitionRange
  /** Id of the topic when the reader was made; undefined when there was none. */
  readonly topicId: string | undefined
  position: number
}

/** Each `next` is one short read transaction: a reader that goes on for hours pins nothing. */
export class SqliteLogReader implements LogReader {
  readonly #file: LogFile
  readonly #chunkBytes: number
  readonly #states: readonly ReadState[]

  constructor(file: LogFile, ranges: readonly PartitionRange[], options: ReadOptions) {
    this.#file = file
    this.#chunkBytes = chunkBytes(options, ranges.length)
    this.#states = file.read(({ topics }) => {
      const ids = new Map(ranges.map(({ topic }) => [topic, topics.find(topic)?.id]))
      return ranges.map((range) => ({ range, topicId: ids.get(range.topic), position: range.from }))
    })
  }

  async next(index: number): Promise<Chunk | undefined> {
    const state = this.#states[index]
    if (state === undefined) throw new Error(`there is no range ${index}`)
    if (state.position >= state.range.to) return undefined
    const chunk = this.#file.read((tables) => this.#chunk(tables, state))
    state.position = chunk.nextOffset
    return chunk
  }

  async close(): Promise<void> {}

  #chunk({ topics, batches }: LogTables, { range, topicId, position }: ReadState): Chunk {
    const partition = topics.partition(range)
    if (topicId !== undefined && topics.get(range.topic).id !== topicId) throw topicReplaced(range.topic)
    if (position < partition.logStart) throw startLost(range, position, partition.logStart)
    if (range.to > partition.highWatermark) throw endLost(range, range.to, partition.highWatermark)
    const { rows, nextOffset } = batches.between(partition.number, position, range.to, this.#chunkBytes)
    return { batches: rows.map((row) => batches.bytes(row, range)), nextOffset }
  }
}
