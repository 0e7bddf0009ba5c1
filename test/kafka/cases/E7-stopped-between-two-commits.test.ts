import { type Job, job, json, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StopSignal } from '../../../src/runtime/stop-signal.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)(
  'E7 iii: a run is stopped when its slice is committed here, and not in Kafka yet',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let bootstrap = ''
    beforeAll(async () => {
      bootstrap = await kafka.bootstrap()
    }, BROKER_TIMEOUT_MS)

    it.each([
      ['once', 'slice'],
      ['twice', 'now'],
    ] as const)('%s: the slice is delivered, and the next run goes on behind it', async (_, asked) => {
      const field = new KafkaField(bootstrap)
      await field.make()
      await field.batch(field.input, 'none', 'p0 a→1', 'p0 b→1', 'p0 a→1', 'p0 a→1')
      const counting = countingTo(field.input, unique('out'))
      const stop: { -readonly [Name in keyof StopSignal]: StopSignal[Name] } = { asked: null, code: 'TERMINATED' }
      const failure = await field.fail(counting.job, { stop }, (env) => ({
        ...env,
        steps: {
          enter: (step) => {
            if (step === 'outside-commit') stop.asked = asked
          },
        },
      }))
      expect(failure).toMatchObject({ code: 'TERMINATED', exit: 143 })
      expect(field.checkpoint(counting.job)).toEqual({ [`${field.input}/0`]: 2 })
      expect(await field.out(counting.output)).toEqual(['a→1 @0', 'b→1 @0'])
      expect(await field.run(counting.job)).toMatchObject({ status: 'done' })
      expect(await field.out(counting.output)).toEqual(['a→1 @0', 'b→1 @0', 'a→2 @0', 'a→3 @0'])
      expect(field.store(counting.job, 'counts')).toEqual(['a=3', 'b=1'])
    })
  },
)

/** In slices of two records. */
function countingTo(input: string, output: string): { readonly job: Job; readonly output: string } {
  const counts = job(unique('counting'), { sliceRecords: 2 }, ({ stream }) => {
    stream(topic(input, { key: string(), value: json<number>() }))
      .groupByKey()
      .count('counts')
      .toStream()
      .to(topic(output, { key: string(), value: json<number>() }))
  })
  return { job: counts, output }
}
