import { AT, ATTRIBUTE } from '../../../src/wire/batch-layout.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { writeInt64 } from '../../../src/wire/int64.ts'
import { stampBaseOffset, stampChecksum } from '../../../src/wire/stamp.ts'
import { stampProducer } from '../wire/stamp-producer.ts'

/** Bytes as they lie in a log. */
export function plain(offset: number, keys: string, leaderEpoch = 0): Buffer {
  const batch = keyed(keys)
  stampBaseOffset(batch, offset, leaderEpoch)
  return batch
}

export function transactional(offset: number, producerId: number, keys: string): Buffer {
  const batch = keyed(keys)
  stampProducer(batch, { producerId, producerEpoch: 0, baseSequence: 0, transactional: true })
  stampBaseOffset(batch, offset, 0)
  return batch
}

/** The end of a transaction, as a broker writes it. */
export function marker(offset: number, producerId: number, kind: 'commit' | 'abort'): Buffer {
  const writer = new BatchWriter()
  const key = kind === 'commit' ? '\0\0\0\x01' : '\0\0\0\0'
  writer.append(1_700_000_000_000, key, Buffer.from([0, 0, 0, 0, 0, 0]), [])
  const batch = writer.finish()
  stampProducer(batch, { producerId, producerEpoch: 0, baseSequence: -1, transactional: true })
  batch.writeUInt16BE(batch.readUInt16BE(AT.attributes) | ATTRIBUTE.control, AT.attributes)
  stampChecksum(batch)
  stampBaseOffset(batch, offset, 0)
  return batch
}

/** What compaction leaves of a batch whose records are all gone. */
export function empty(offset: number, offsets: number): Buffer {
  const batch = Buffer.from(keyed('a').subarray(0, AT.records))
  batch.writeInt32BE(batch.length - AT.partitionLeaderEpoch, AT.batchLength)
  batch.writeInt32BE(offsets - 1, AT.lastOffsetDelta)
  batch.writeInt32BE(0, AT.recordCount)
  stampChecksum(batch)
  writeInt64(batch, AT.baseOffset, offset)
  return batch
}

function keyed(keys: string): Buffer {
  const writer = new BatchWriter()
  for (const key of keys) writer.append(1000, key, Buffer.from('1'), [])
  return writer.finish()
}
