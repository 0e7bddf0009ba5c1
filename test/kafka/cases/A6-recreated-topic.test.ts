import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { withFetches, withLog } from '../../regression/support/odd-log.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('A6: a topic is deleted and made again', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  async function filled(field: KafkaField, key: string, count: number): Promise<void> {
    await field.make()
    await field.log.admin().append([
      batchOf(
        field.at(),
        Array.from({ length: count }, () => record(key)),
      ),
    ])
  }

  async function recreated(count: number): Promise<KafkaField> {
    const field = new KafkaField(bootstrap)
    await filled(field, 'old', 50)
    await field.run(field.counting())
    await field.log.admin().delete(field.input)
    await filled(field, 'new', count)
    return field
  }

  it.each([30, 80])('the run stops, and reads nothing of its %d records', async (count) => {
    const field = await recreated(count)
    let readers = 0
    const watched = withLog((log) => ({
      reader: (ranges, options) => {
        readers++
        return log.reader(ranges, options)
      },
    }))
    const error = await field.fail(field.counting(), { onDataLoss: 'skip' }, watched)
    expect(error).toMatchObject({ exit: 66, message: expect.stringMatching(/topic identity changed/) })
    expect(readers).toBe(0)
    expect(field.positions()).toEqual([50])
    expect(field.counts()).toEqual(['old=50'])
  })

  it('is read from its beginning when it is accepted by name', async () => {
    const field = await recreated(80)
    expect((await field.run(field.counting(), { acceptTopics: [field.input] })).records).toBe(80)
    expect(field.positions()).toEqual([80])
    expect(field.counts()).toEqual(['new=80', 'old=50'])
  })

  it('in the middle of a run too', async () => {
    const field = new KafkaField(bootstrap)
    await field.make()
    for (let i = 0; i < 5; i++) await field.log.admin().append([batchOf(field.at(), [record('old')])])
    const replacing = withFetches(1, async (fetches) => {
      if (fetches !== 2) return
      await field.log.admin().delete(field.input)
      await filled(field, 'new', 9)
    })
    expect(await field.fail(field.counting(), {}, replacing)).toMatchObject({ code: 'INPUT_REPLACED', exit: 66 })
    expect(field.positions()).toBeNull()
  })
})
