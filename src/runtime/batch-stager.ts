import type { ByteString, Bytes } from '../core/bytes.ts'
import type { Headers } from '../core/headers.ts'
import type { StagedBatch } from '../ports/log.ts'
import { BatchWriter } from '../wire/batch-writer.ts'
import { partitionOf } from '../wire/murmur2.ts'

/** A batch is closed when its records take this many bytes. Well below Kafka's default limit of about 1 MB. */
export const BATCH_BYTES = 256 * 1024

/** Encodes the records of one topic into batches for each partition. */
export class BatchStager {
  readonly topic: string
  readonly partitions: number
  readonly #writers: (BatchWriter | undefined)[]
  #staged: StagedBatch[] = []
  #stagedBytes = 0

  constructor(topic: string, partitions: number) {
    this.topic = topic
    this.partitions = partitions
    this.#writers = new Array(partitions)
  }

  /** Bytes staged and not yet drained; the batches still open are not counted. */
  get stagedBytes(): number {
    return this.#stagedBytes
  }

  /** A record without key goes to the partition of its task's number; others to that of `partitionBytes`. */
  append(
    key: ByteString | null,
    value: Bytes | null,
    timestamp: number,
    headers: Headers,
    task: number,
    partitionBytes = key,
  ): void {
    const partition = partitionBytes === null ? task % this.partitions : partitionOf(partitionBytes, this.partitions)
    this.appendTo(partition, key, value, timestamp, headers)
  }

  /** A record for a partition that is known. */
  appendTo(partition: number, key: ByteString | null, value: Bytes | null, timestamp: number, headers: Headers): void {
    let writer = this.#writers[partition]
    if (writer === undefined) {
      writer = new BatchWriter()
      this.#writers[partition] = writer
    }
    writer.append(timestamp, key, value, headers)
    if (writer.sizeBytes >= BATCH_BYTES) this.#close(writer, partition)
  }

  /** Closed batches, in order of closing, and with `all` the open ones too, in order of partition. They are handed over. */
  drain(all: boolean): readonly StagedBatch[] {
    if (all) {
      for (const [partition, writer] of this.#writers.entries()) {
        if (writer !== undefined && writer.records > 0) this.#close(writer, partition)
      }
    }
    const staged = this.#staged
    this.#staged = []
    this.#stagedBytes = 0
    return staged
  }

  #close(writer: BatchWriter, partition: number): void {
    const { records } = writer
    const bytes = writer.finish()
    this.#staged.push({ topic: this.topic, partition, bytes, records })
    this.#stagedBytes += bytes.length
  }
}
