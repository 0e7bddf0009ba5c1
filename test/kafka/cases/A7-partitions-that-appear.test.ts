import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('A7: partitions that appear, or were empty', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('start at 0, whatever the start of the job, and what they have lost by then is a loss', async () => {
    const field = new KafkaField(bootstrap)
    const append = (partition: number, count: number) =>
      field.log.admin().append([
        batchOf(
          field.at(partition),
          Array.from({ length: count }, () => record('a')),
        ),
      ])
    const job = field.counting({ start: 'latest' })
    await field.make(2)
    await append(0, 5)
    await field.run(job)
    expect(field.positions()).toEqual([5, 0])
    await append(1, 1)
    await field.log.admin().alter(field.input, { partitions: 4 })
    await append(2, 3)
    await append(3, 4)
    await field.log.admin().trim(field.at(3), 2)
    expect(await field.fail(job)).toMatchObject({ code: 'INPUT_LOST', exit: 66 })
    expect(field.positions()).toEqual([5, 0])
    const run = await field.run(job, { onDataLoss: 'skip' })
    expect(run.partitions.map(({ from, to, records }) => [from, to, records])).toEqual([
      [5, 5, 0],
      [0, 1, 1],
      [0, 3, 3],
      [2, 4, 2],
    ])
    expect(field.positions()).toEqual([5, 1, 3, 4])
    const gap = { kind: 'gap', detail: { topic: field.input, partition: 3, from: 0, to: 2 } }
    expect(field.events(job)).toContainEqual(gap)
  })
})
