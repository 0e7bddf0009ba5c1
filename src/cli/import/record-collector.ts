import { utf8ByteString } from '../../core/bytes.ts'
import { NO_HEADERS } from '../../core/headers.ts'
import type { StagedBatch } from '../../ports/log.ts'
import { BatchStager } from '../../runtime/batch-stager.ts'

/** Where encoded batches wait until the whole file is known to be good. */
export interface Spool {
  push(batch: StagedBatch): void
  batches(): Iterable<StagedBatch>
  clear(): void
}

/** Encodes the records of an import, in the order of the file, and counts them. */
export class RecordCollector {
  records = 0
  withoutKey = 0
  /** Of all records; undefined while there is none. */
  firstTimestamp: number | undefined
  lastTimestamp: number | undefined
  readonly recordsByPartition: number[]
  readonly #stager: BatchStager
  readonly #spool: Spool
  #scratch = Buffer.allocUnsafeSlow(64 * 1024)

  constructor(topic: string, partitions: number, spool: Spool) {
    this.#stager = new BatchStager(topic, partitions)
    this.#spool = spool
    this.recordsByPartition = new Array<number>(partitions).fill(0)
  }

  /** Adds a record. One without key goes to the partitions in turn. */
  add(key: string | null, timestamp: number, value: string): void {
    const most = value.length * 3
    if (most > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(most * 2)
    const length = this.#scratch.write(value, 'utf8')
    const keyBytes = key === null ? null : utf8ByteString(key)
    this.#stager.append(keyBytes, this.#scratch.subarray(0, length), timestamp, NO_HEADERS, this.records)
    this.records++
    if (key === null) this.withoutKey++
    if (this.firstTimestamp === undefined || timestamp < this.firstTimestamp) this.firstTimestamp = timestamp
    if (this.lastTimestamp === undefined || timestamp > this.lastTimestamp) this.lastTimestamp = timestamp
  }

  /** Moves what is encoded to the spool: the full batches, and at the `end` all of them. */
  flush(end: boolean): void {
    for (const batch of this.#stager.drain(end)) {
      this.#spool.push(batch)
      this.recordsByPartition[batch.partition] = (this.recordsByPartition[batch.partition] ?? 0) + batch.records
    }
  }
}
