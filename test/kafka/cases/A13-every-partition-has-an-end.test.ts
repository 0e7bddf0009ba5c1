import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { withFetches } from '../../regression/support/odd-log.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('A13: a run ends where its plan ends', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('although a producer goes on writing, and a fetch is slow', async () => {
    const field = new KafkaField(bootstrap)
    await field.make(3)
    const write = (partition: number, count: number) =>
      field.log.admin().append([
        batchOf(
          field.at(partition),
          Array.from({ length: count }, (_, i) => record(`k${i}`)),
        ),
      ])
    await write(0, 1)
    for (let batch = 0; batch < 20; batch++) await write(2, 50)
    let appended = 0
    const busy = withFetches(1, async (fetches) => {
      await write(0, 1)
      appended++
      // Long enough for an idle time-out to strike, if there were one.
      if (fetches === 3) await field.env.clock.sleep(10_000)
    })
    const run = await field.run(field.counting(), {}, busy)
    expect(appended).toBeGreaterThan(20)
    expect(run.records).toBe(1001)
    expect(field.positions()).toEqual([1, 0, 1000])
    expect((await field.run(field.counting())).records).toBe(appended)
  })
})
