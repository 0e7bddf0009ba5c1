import { job, json, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import { record, singles } from '../../contract/log/records.ts'
import { withFetches } from '../../regression/support/odd-log.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)(
  'A15: an input topic is missing, on a broker that would make it',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let bootstrap = ''
    beforeAll(async () => {
      bootstrap = await kafka.bootstrap()
    }, BROKER_TIMEOUT_MS)

    it('stops the run by name, and nothing is made', async () => {
      const field = new KafkaField(bootstrap)
      const missing = unique('ordres')
      const typo = job(unique('typo'), {}, ({ stream }) => {
        stream(topic(missing, { key: string(), value: json<number>() }))
          .groupByKey()
          .count('counts')
      })
      const error = await field.fail(typo)
      expect(error).toMatchObject({ code: 'INPUT_MISSING', exit: 66, message: expect.stringContaining(missing) })
      expect((await field.log.describe()).filter(({ name }) => name === missing)).toEqual([])
      expect(field.checkpoint(typo)).toBeNull()
    })

    it('that vanishes while it is read stops the run too, with the checkpoint as it was', async () => {
      const field = new KafkaField(bootstrap)
      await field.make()
      await field.log.admin().append(singles(field.at(), [record('a')]))
      await field.run(field.counting())
      await field.log.admin().append(singles(field.at(), [record('a'), record('a'), record('a')]))
      const vanishing = withFetches(1, async (fetches) => {
        if (fetches === 2) await field.log.admin().delete(field.input)
      })
      expect(await field.fail(field.counting(), {}, vanishing)).toMatchObject({ code: 'INPUT_MISSING', exit: 66 })
      expect(field.positions()).toEqual([1])
      expect(field.counts()).toEqual(['a=1'])
      expect(await field.fail(field.counting())).toMatchObject({ code: 'INPUT_MISSING' })
      expect((await field.log.describe([field.input])).map(({ name }) => name)).toEqual([])
    })
  },
)
