import { beforeAll, describe, expect, it } from 'vitest'
import { record, singles } from '../../contract/log/records.ts'
import { withLog } from '../../regression/support/odd-log.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('A8: times to offsets', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  async function three(): Promise<KafkaField> {
    const field = new KafkaField(bootstrap)
    await field.make(3)
    await append(field, 0, 1000, 2000, 3000)
    await append(field, 2, 500)
    return field
  }

  function append(field: KafkaField, partition: number, ...times: readonly number[]): Promise<void> {
    return field.log.admin().append(
      singles(
        field.at(partition),
        times.map((time) => record('a', '1', time)),
      ),
    )
  }

  it('nothing at or past the time is the end of the partition, and never -1 or 0', async () => {
    const field = await three()
    const run = await field.run(field.counting(), { from: '@1500', to: '@2500', as: 'slot' })
    expect(run.partitions.map(({ from, to, records }) => [from, to, records])).toEqual([
      [1, 2, 1],
      [0, 0, 0],
      [1, 1, 0],
    ])
    expect(field.positions('slot')).toEqual([2, 0, 1])
  })

  it('a record that comes between the two look-ups is read by the next run', async () => {
    const field = await three()
    let came = false
    const meanwhile = withLog((log) => ({
      offsetsForTime: async (queries) => {
        if (!came) await append(field, 2, 2400)
        came = true
        return log.offsetsForTime(queries)
      },
    }))
    await field.run(field.counting(), { to: '@2500' }, meanwhile)
    expect(field.positions()).toEqual([2, 0, 1])
    expect((await field.run(field.counting())).records).toBe(2)
    expect(field.positions()).toEqual([3, 0, 2])
  })
})
