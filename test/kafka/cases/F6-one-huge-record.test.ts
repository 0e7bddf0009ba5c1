import { job, json, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, readRange, record } from '../../contract/log/records.ts'
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

describe.skipIf(kafka.missing)(
  'F6: a record that is larger than what is fetched',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)
    const MB = 1_000_000
    /** An append of more than a request holds is a transaction, whose marker has an offset. */
    const MARKER = 1
    /** What a reader holds of all partitions together where it is not told otherwise is less than a batch of this. */
    const OVER_THE_BUFFER = 36 * MB

    async function roomy(partitions = 1) {
      const field = new KafkaField(await kafka.bootstrap())
      await field.make(partitions, { 'max.message.bytes': String(40 * MB) })
      return field
    }

    /** Counts by key, and writes how long each value is. */
    function measuring(field: KafkaField) {
      const out = topic(unique('lengths'), { key: string(), value: json<number>() })
      const measure = job(unique('measuring'), {}, ({ stream }) => {
        const texts = stream(topic(field.input, { key: string(), value: string() }))
        texts.mapValues((text) => text.length).to(out)
        texts.groupByKey().count('counts')
      })
      return { measure, out: () => field.out(out.name) }
    }

    it('is read, and so is what stands before and behind it', async () => {
      const field = await roomy()
      const { measure, out } = measuring(field)
      for (const [key, bytes] of [
        ['a', 1000],
        ['b', 8 * MB],
        ['c', 1000],
      ] as const) {
        await field.log.admin().append([batchOf(field.at(), [record(key, 'x'.repeat(bytes))])])
      }
      expect((await field.run(measure)).records).toBe(3)
      expect(field.checkpoint(measure)).toEqual({ [`${field.input}/0`]: 3 + MARKER })
      expect(await out()).toEqual(['a→1000 @1000', `b→${8 * MB} @1000`, 'c→1000 @1000'])
      const limited = { ...field.at(), from: 0, to: 3 + MARKER }
      const read = await readRange(field.log, limited, { isolation: 'read_committed', bufferBytes: MB })
      expect(read.map(({ value }) => value?.length)).toEqual([1000, 8 * MB, 1000])
    })

    it('and than all that is read ahead, as it lies there or once it is decompressed, beside other partitions', async () => {
      const field = await roomy(3)
      const { measure } = measuring(field)
      const small = record('small', 'x')
      const large = [record('large', 'x'.repeat(OVER_THE_BUFFER))]
      const tail = Array.from({ length: 300 }, () => small)
      for (const codec of ['none', 'gzip'] as const) {
        const at = field.at(codec === 'none' ? 0 : 1)
        for (const records of [[small], large, tail]) await field.log.admin().append([batchOf(at, records, codec)])
      }
      await field.log.admin().append([batchOf(field.at(2), tail)])
      expect((await field.run(measure)).records).toBe(2 * 302 + 300)
      expect(Object.values(field.checkpoint(measure) ?? {})).toEqual([302 + MARKER, 302, 300])
      expect(field.store(measure, 'counts')).toEqual(['large=2', 'small=902'])
    })
  },
)
