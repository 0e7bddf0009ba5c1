import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('A10: a batch reaches outside the range', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('each of its records is read once, over two runs', async () => {
    const field = new KafkaField(bootstrap)
    await field.make()
    const ten = Array.from({ length: 10 }, () => record('a'))
    await field.log.admin().append([batchOf(field.at(), ten, 'gzip')])
    const job = field.counting({ start: '3' })
    expect((await field.run(job, { to: '7' })).records).toBe(4)
    expect(field.positions()).toEqual([7])
    expect((await field.run(job)).records).toBe(3)
    expect(field.positions()).toEqual([10])
    expect(field.counts()).toEqual(['a=7'])
  })
})
