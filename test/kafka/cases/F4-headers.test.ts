import { bytes, job, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Headers } from '../../../src/core/headers.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { javaReads } from '../support/java-client.ts'
import { javaMissing } from '../support/java-writer.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()
const text = (name: string, value: string): [string, Uint8Array] => [name, Buffer.from(value)]
const HEADERS: Headers = [
  text('h', '1'),
  ['x', null],
  text('h', '2'),
  ['bin', Buffer.from('00ff80', 'hex')],
  text('constructor', 'c'),
  text('10', 'a'),
  text('9', 'b'),
]

describe.skipIf(kafka.missing ?? javaMissing)(
  'F4: headers that a job passes on',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

    it('are what the Java client finds: order, repeated names, nulls and bytes', { timeout: 60_000 }, async () => {
      const bootstrap = await kafka.bootstrap()
      const field = new KafkaField(bootstrap)
      await field.make()
      const record = { partition: 0, offset: undefined, key: Buffer.from('k'), value: Buffer.from('v'), timestamp: 5 }
      await field.write(field.input, { ...record, headers: HEADERS }, record)
      const named = (name: string) => topic(name, { key: string(), value: bytes() })
      const [asItIs, mapped] = [unique('as-it-is'), unique('mapped')]
      const passing = job(unique('passing'), {}, ({ stream }) => {
        stream(named(field.input)).to(named(asItIs))
        stream(named(field.input))
          .mapValues((value) => value)
          .to(named(mapped))
      })
      await field.run(passing)
      const hex = (value: string | Uint8Array | null) => (value === null ? null : Buffer.from(value).toString('hex'))
      const wanted = HEADERS.map(([name, value]) => [hex(name), hex(value)])
      const read = javaReads(bootstrap, [asItIs, mapped])
      expect(read.map(({ topic, timestamp, headers }) => ({ topic, timestamp, headers }))).toEqual(
        [asItIs, mapped].flatMap((topic) => [
          { topic, timestamp: 5, headers: wanted },
          { topic, timestamp: 5, headers: [] },
        ]),
      )
    })
  },
)
