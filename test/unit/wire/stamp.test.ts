import { describe, expect, it } from 'vitest'
import { readBatchHeader } from '../../../src/wire/batch-header.ts'
import { stampBaseOffset } from '../../../src/wire/stamp.ts'
import { javaBatch } from './java-batches.ts'
import { readAll } from './records.ts'
import { stampProducer } from './stamp-producer.ts'

const copyOf = (name: string) => Buffer.from(javaBatch(name).bytes)

describe('stamping a batch', () => {
  it('with a producer makes what the Java client writes in a transaction', () => {
    const batch = copyOf('mixed records, none')
    stampProducer(batch, { producerId: 4711, producerEpoch: 3, baseSequence: 17, transactional: true })
    expect(batch).toEqual(javaBatch('transactional').bytes)
  })

  it('outside a transaction takes the flag away, and keeps codec and time type', () => {
    const batch = copyOf('transactional, zstd')
    stampProducer(batch, { producerId: -1, producerEpoch: -1, baseSequence: -1, transactional: false })
    expect(batch).toEqual(javaBatch('mixed records, zstd').bytes)
    const stamped = copyOf('log append time')
    stampProducer(stamped, { producerId: 2 ** 52 + 1, producerEpoch: 9, baseSequence: 0, transactional: true })
    expect(readBatchHeader(stamped)).toMatchObject({ logAppendTime: true, producerId: 2 ** 52 + 1 })
    expect(readAll(stamped)).toEqual(readAll(javaBatch('log append time').bytes))
  })

  it('with a base offset and an epoch needs no new checksum', () => {
    const batch = copyOf('mixed records, none')
    stampBaseOffset(batch, 2 ** 52 + 12345, 7)
    expect(batch).toEqual(javaBatch('far base offset and leader epoch').bytes)
  })

  it('with a base offset alone says that there is no epoch', () => {
    const batch = copyOf('far base offset and leader epoch')
    stampBaseOffset(batch, 0)
    expect(batch).toEqual(javaBatch('mixed records, none').bytes)
  })
})
