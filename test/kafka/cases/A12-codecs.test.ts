import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { javaMissing, javaWrites } from '../support/java-writer.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()
const CODECS = ['gzip', 'snappy', 'lz4', 'zstd']

describe.skipIf(kafka.missing)('A12: codecs', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it.skipIf(javaMissing)('all that the Java client writes are read', async () => {
    const field = new KafkaField(bootstrap)
    await field.make()
    const send = (codec: string, index: number) => `send ${codec} ${codec} ${index} ${codec} ${'9'.repeat(index + 1)}`
    javaWrites(bootstrap, field.input, CODECS.map(send))
    expect((await field.run(field.counting())).records).toBe(4)
    expect(await field.read(0, 4)).toEqual(['0gzip=9', '1snappy=99', '2lz4=999', '3zstd=9999'])
    expect(field.counts()).toEqual(['gzip=1', 'lz4=1', 'snappy=1', 'zstd=1'])
    expect(field.positions()).toEqual([4])
  })

  it.each(CODECS)('what the broker compresses again with %s is read', async (codec) => {
    const field = new KafkaField(bootstrap)
    await field.make(1, { 'compression.type': codec })
    const records = Array.from({ length: 50 }, (_, i) => record('k', 'x'.repeat(100) + i))
    await field.log.admin().append([batchOf(field.at(), records)])
    expect(await field.read(0, 50)).toEqual(records.map(({ value }, offset) => `${offset}k=${value}`))
  })
})
