import { job, json, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)(
  'F6: a record that outgrows what the broker takes',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

    async function growing(settings: Readonly<Record<string, string>>) {
      const field = new KafkaField(await kafka.bootstrap())
      await field.make()
      const joined = unique('joined')
      await field.topic(joined, 1, settings)
      const texts = topic(field.input, { key: string(), value: string() })
      const growing = job(unique('growing'), {}, ({ stream }) => {
        stream(texts)
          .groupByKey()
          .aggregate('joined', { init: () => '', add: (all: string, value) => all + value, serde: json<string>() })
          .to(topic(joined, { key: string(), value: json<string>() }))
      })
      return { field, growing, joined }
    }

    it('is named with key, size and limit; nothing is committed, and more room lets the run go on', async () => {
      const {
        field,
        growing: grows,
        joined,
      } = await growing({ 'cleanup.policy': 'compact', 'max.message.bytes': '2000' })
      const small = 'x'.repeat(1000)
      await field.write(field.input, `p0/0 big→${small}`)
      await field.run(grows)
      await field.write(field.input, `p0/1 big→${small}`)
      const error = await field.fail(grows)
      expect(error).toMatchObject({ code: 'OUTPUT_REFUSED', exit: 73, at: { topic: joined, partition: 0 } })
      expect(error.message).toMatch(/record of 20\d\d bytes \(key "big"\) is over the limit of 2000/)
      expect(field.checkpoint(grows)).toEqual({ [`${field.input}/0`]: 1 })
      expect(field.store(grows, 'joined')).toEqual([`big=${small}`])
      expect(await field.out(joined)).toEqual([`big→${JSON.stringify(small)} @0`])
      await field.log.admin().alter(joined, { settings: { 'max.message.bytes': '4000' } })
      await field.run(grows)
      expect(field.checkpoint(grows)).toEqual({ [`${field.input}/0`]: 2 })
      expect(await field.out(joined)).toEqual([small, small + small].map((text) => `big→${JSON.stringify(text)} @0`))
    })

    it('is found by the broker too where it is over its own limit of a megabyte', async () => {
      const { field, growing: grows } = await growing({ 'cleanup.policy': 'compact' })
      await field.write(field.input, `p0/0 big→${'x'.repeat(900_000)}`)
      await field.run(grows)
      await field.write(field.input, `p0/1 big→${'x'.repeat(900_000)}`)
      const error = await field.fail(grows)
      expect(error).toMatchObject({ code: 'OUTPUT_REFUSED', exit: 73 })
      expect(error.message).toMatch(/record of 1800\d\d\d bytes \(key "big"\) is over the limit of 1048588/)
      expect(field.checkpoint(grows)).toEqual({ [`${field.input}/0`]: 1 })
    })
  },
)
