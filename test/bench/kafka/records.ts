import { NO_HEADERS } from '../../../src/core/headers.ts'
import type { StagedBatch } from '../../../src/ports/log.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import type { CodecName } from '../../../src/wire/codec.ts'

/** What every client reads and writes: records of about 100 bytes. */
export const RECORDS = 1_000_000
export const PARTITIONS = 4
export const FIRST_TIMESTAMP = 1_760_000_000_000
const BATCH_BYTES = 64_000
const TEXT = '{"user":"somebody","page":"/shop/item/17","amount":12.5,"when":"2013-01-01T10:00:00Z"}'

/** The key of record number `n`: no two are alike. */
export function keyOf(n: number): string {
  return `user-${n}`
}

export const VALUE = Buffer.from(TEXT)

/** The records as batches of a topic, partition by partition in turn. */
export function* batchesOf(topic: string, codec: CodecName = 'none'): Generator<StagedBatch> {
  const writer = new BatchWriter()
  let partition = 0
  const batch = (): StagedBatch => {
    const { records } = writer
    const made = { topic, partition, records, bytes: writer.finish(codec) }
    partition = (partition + 1) % PARTITIONS
    return made
  }
  for (let n = 0; n < RECORDS; n++) {
    writer.append(FIRST_TIMESTAMP + n, keyOf(n), VALUE, NO_HEADERS)
    if (writer.sizeBytes >= BATCH_BYTES) yield batch()
  }
  if (writer.records > 0) yield batch()
}
