import { setImmediate } from 'node:timers/promises'
import type { TopicPartition } from '../../../core/offsets.ts'
import { readBatchHeader } from '../../../wire/batch-header.ts'
import { Compaction } from '../../log-rules/compaction.ts'
import type { BatchRow } from './batch-rows.ts'
import type { LogFile } from './log-file.ts'
import type { LogTables } from './log-tables.ts'
import type { PartitionRow } from './topic-rows.ts'

/** Bytes looked at in one transaction: others can write in between. */
const STEP_BYTES = 8 * 1024 * 1024

/**
 * Compacts `[log start, high watermark)` as it is now. Every step leaves a log that readers may read: a record goes only
 * when a later one of its key is there. A crash leaves the rest to the next compaction.
 */
export async function compactPartition(file: LogFile, partition: PartitionRow, topic: string): Promise<void> {
  const at = { topic, partition: partition.partition }
  const compaction = new Compaction(at)
  const steps = new Steps(partition)
  while (steps.left) {
    file.read((tables) => {
      for (const row of steps.next(tables)) compaction.note(tables.batches.bytes(row, at))
    })
    await setImmediate()
  }
  steps.restart()
  while (steps.left) {
    file.write((tables) => {
      for (const row of steps.next(tables)) reduce(tables, partition.number, row, at, compaction)
    })
    await setImmediate()
  }
}

/** Walks through a partition's batches, some bytes at a time, each in a transaction of the caller's. */
class Steps {
  readonly #partition: PartitionRow
  #position: number

  constructor(partition: PartitionRow) {
    this.#partition = partition
    this.#position = partition.logStart
  }

  get left(): boolean {
    return this.#position < this.#partition.highWatermark
  }

  restart(): void {
    this.#position = this.#partition.logStart
  }

  next({ batches }: LogTables): BatchRow[] {
    const { number, highWatermark } = this.#partition
    const { rows, nextOffset } = batches.between(number, this.#position, highWatermark, STEP_BYTES)
    this.#position = nextOffset
    return rows
  }
}

function reduce(
  { batches }: LogTables,
  partition: number,
  row: BatchRow,
  at: TopicPartition,
  compaction: Compaction,
): void {
  const old = batches.bytes(row, at)
  const reduced = compaction.reduce(old)
  if (reduced === undefined) batches.delete(partition, row)
  else if (reduced !== old) batches.replace(partition, row, readBatchHeader(reduced).maxTimestamp, reduced)
}
