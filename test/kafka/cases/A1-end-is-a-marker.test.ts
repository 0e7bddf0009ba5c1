import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record, singles } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)(
  'A1: the end of the range is a transaction marker',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let bootstrap = ''
    beforeAll(async () => {
      bootstrap = await kafka.bootstrap()
    }, BROKER_TIMEOUT_MS)

    async function transaction(field: KafkaField, how: 'commit' | 'abort', key: string, end: number): Promise<void> {
      const made = await field.transaction()
      await made.append([batchOf(field.at(), [record(key, '1')])])
      await made[how]()
      await field.reaches(end)
      await made.end()
    }

    it.each([
      ['in the segment of its record', {}],
      ['alone in the last segment', { 'segment.ms': '1' }],
    ])('of a commit, %s', async (_, settings) => {
      const field = new KafkaField(bootstrap)
      await field.make(1, settings)
      await transaction(field, 'commit', 'a', 2)
      expect(await field.run(field.counting())).toMatchObject({ status: 'done', records: 1 })
      expect(field.positions()).toEqual([2])
      expect((await field.run(field.counting())).records).toBe(0)
      const marker = await field.run(field.counting(), { from: '1', to: '2', as: 'marker' })
      expect(marker).toMatchObject({ status: 'done', records: 0 })
      expect(field.positions('marker')).toEqual([2])
    })

    it('of an abort', async () => {
      const field = new KafkaField(bootstrap)
      await field.make()
      await field.log.admin().append(singles(field.at(), [record('a', '1')]))
      await transaction(field, 'abort', 'b', 3)
      expect((await field.run(field.counting())).records).toBe(1)
      expect(field.positions()).toEqual([3])
      expect(field.counts()).toEqual(['a=1'])
      expect((await field.run(field.counting())).records).toBe(0)
    })
  },
)
