import { describe, expect, it } from 'vitest'
import { readBatchHeader } from '../../../src/wire/batch-header.ts'
import { AT } from '../../../src/wire/batch-layout.ts'
import { codecNamed } from '../../../src/wire/codecs.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { stampBaseOffset } from '../../../src/wire/stamp.ts'
import { JAVA_BATCHES, type JavaBatch } from './java-batches.ts'
import { brief, readAll, writeAll } from './records.ts'
import { stampProducer } from './stamp-producer.ts'

const current = JAVA_BATCHES.filter(({ magic }) => magic === 2)

describe.each(current)('a batch of the Java client: $name', (java) => {
  it('has the header that Java reads', () => {
    expect(readBatchHeader(java.bytes)).toMatchObject({ ...java.header, records: java.records.length })
  })

  it('has the records that Java reads', () => {
    const records = readAll(java.bytes).map(({ offset, timestamp, key, value, headers }) => ({
      offset,
      timestamp,
      key: key === null ? null : brief(Buffer.from(key, 'latin1')),
      value: brief(value),
      headers: headers.map(([name, bytes]) => [brief(Buffer.from(name)), brief(bytes)]),
    }))
    expect(records).toEqual(java.records)
  })
})

/** Those that a writer makes; the others come from brokers, or have times that are not their records'. */
const written = current.filter(
  ({ name, header }) =>
    header?.isControl === false && header.logAppendTime === false && !/compact|delete horizon/.test(name),
)

const isPlain = ({ header }: JavaBatch) => header?.codec === 'none'

describe('writing the records of the Java client again', () => {
  it.each(written.filter(isPlain))('makes the same bytes: $name', (java) => {
    expect(rewrite(java).equals(java.bytes)).toBe(true)
  })

  it.each(written.filter((java) => !isPlain(java)))(
    'makes the same bytes but for their compressed form: $name',
    (java) => {
      const ours = rewrite(java)
      expect(plain(ours).equals(plain(java.bytes))).toBe(true)
      expect(fieldsButLength(ours)).toEqual(fieldsButLength(java.bytes))
    },
  )
})

/** The batch as read and written again, with what its header says beside the records. */
function rewrite(java: JavaBatch): Buffer {
  const header = readBatchHeader(java.bytes)
  const ours = writeAll(readAll(java.bytes), header.codec)
  stampBaseOffset(ours, header.baseOffset, header.partitionLeaderEpoch)
  stampProducer(ours, {
    producerId: header.producerId,
    producerEpoch: header.producerEpoch,
    baseSequence: header.baseSequence,
    transactional: header.isTransactional,
  })
  return ours
}

/** The records of a batch as they are before compression. */
function plain(batch: Buffer): Buffer {
  return codecNamed(readBatchHeader(batch).codec).decompress(batch.subarray(AT.records), 2 ** 30)
}

function fieldsButLength(batch: Buffer): unknown {
  const { length: _, ...fields } = readBatchHeader(batch)
  return fields
}

describe.each(JAVA_BATCHES.filter(({ magic }) => magic < 2))('$name', (java: JavaBatch) => {
  it('is refused by name, with a way out', () => {
    const cursor = new RecordCursor()
    expect(() => cursor.open(java.bytes, { topic: 't', partition: 1 })).toThrow(
      expect.objectContaining({
        code: 'RECORD_BATCH_UNSUPPORTED',
        message: expect.stringContaining(`message format ${java.magic}`),
        hint: expect.stringContaining('0.11'),
        at: { topic: 't', partition: 1, offset: 0 },
      }),
    )
  })
})
