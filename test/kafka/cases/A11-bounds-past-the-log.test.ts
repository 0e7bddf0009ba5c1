import { beforeAll, describe, expect, it } from 'vitest'
import { record, singles } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)(
  'A11: the asked end is beyond the log, or the range is reversed',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let bootstrap = ''
    beforeAll(async () => {
      bootstrap = await kafka.bootstrap()
    }, BROKER_TIMEOUT_MS)

    async function two(): Promise<KafkaField> {
      const field = new KafkaField(bootstrap)
      await field.make(3)
      await field.log.admin().append(singles(field.at(0), [record('a'), record('a')]))
      return field
    }

    it('ends at what is there, and the next run goes on from there', async () => {
      const field = await two()
      expect((await field.run(field.counting(), { to: '100' })).records).toBe(2)
      expect(field.positions()).toEqual([2, 0, 0])
      await field.log.admin().append(
        singles(
          field.at(1),
          Array.from({ length: 5 }, () => record('b')),
        ),
      )
      expect((await field.run(field.counting())).records).toBe(5)
      expect(field.counts()).toEqual(['a=2', 'b=5'])
    })

    it.each([{ from: '5', to: '2' }, { from: '500' }])(
      'is a usage error that leaves nothing behind: %j',
      async (bounds) => {
        const field = await two()
        expect(await field.fail(field.counting(), bounds)).toMatchObject({ code: 'USAGE', exit: 64 })
        expect(field.env.state.generations(field.counting().name)).toEqual([])
      },
    )
  },
)
