import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record, singles } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)(
  'A16: a time bound on a topic written in transactions',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let bootstrap = ''
    beforeAll(async () => {
      bootstrap = await kafka.bootstrap()
    }, BROKER_TIMEOUT_MS)

    async function transaction(field: KafkaField, how: 'commit' | 'abort', time: number, end: number): Promise<void> {
      const made = await field.transaction()
      await made.append([batchOf(field.at(), [record('a', '1', time)])])
      await made[how]()
      await field.reaches(end)
      await made.end()
    }

    it('is a record, not a marker', async () => {
      const field = new KafkaField(bootstrap)
      await field.make()
      for (const [index, time] of [1000, 2000, 3000].entries()) await transaction(field, 'commit', time, 2 * index + 2)
      for (const [time, to] of [
        [1500, 2],
        [2500, 4],
        [3500, 6],
      ]) {
        const run = await field.run(field.counting(), { from: 'earliest', to: `@${time}`, as: `to-${time}` })
        expect(run.partitions.map((partition) => partition.to)).toEqual([to])
      }
    })

    it('does not stop at a record that was rolled back, and a cut there changes nothing', async () => {
      const field = new KafkaField(bootstrap)
      await field.make(2)
      await field.log.admin().append(singles(field.at(0), [record('a', '1', 5)]))
      await transaction(field, 'abort', 20, 3)
      await field.log.admin().append(singles(field.at(0), [record('a', '1', 6)]))
      await field.log.admin().append(singles(field.at(1), [record('b', '1', 7)]))
      await field.run(field.counting(), { to: '@10' })
      expect(field.positions()).toEqual([4, 1])
      expect((await field.run(field.counting())).records).toBe(0)
      expect(field.counts()).toEqual(['a=2', 'b=1'])
    })
  },
)
