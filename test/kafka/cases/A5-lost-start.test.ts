import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { withFetches } from '../../regression/support/odd-log.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('A5: the start offset no longer exists', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  /** A job that has read 100 and 10 records; then there are 200 and 12. */
  async function behind(): Promise<KafkaField> {
    const field = new KafkaField(bootstrap)
    await field.make(2)
    await append(field, 0, 100)
    await append(field, 1, 10)
    await field.run(field.counting())
    await append(field, 0, 100)
    await append(field, 1, 2)
    return field
  }

  async function append(field: KafkaField, partition: number, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 10) {
      const records = Array.from({ length: Math.min(10, count - sent) }, () => record(`p${partition}`))
      await field.log.admin().append([batchOf(field.at(partition), records)])
    }
  }

  it('the run stops by name and number, and no partition moves', async () => {
    const field = await behind()
    await field.log.admin().trim(field.at(0), 150)
    const error = await field.fail(field.counting())
    expect(error).toMatchObject({ code: 'INPUT_LOST', exit: 66 })
    expect(error.message).toMatch(/offset 100 .*150.*50 offsets/)
    expect(field.positions()).toEqual([100, 10])
    expect(field.counts()).toEqual(['p0=100', 'p1=10'])
  })

  it('goes on from what is there where that is asked for, and records the gap', async () => {
    const field = await behind()
    await field.log.admin().trim(field.at(0), 150)
    expect((await field.run(field.counting(), { onDataLoss: 'skip' })).records).toBe(52)
    expect(field.positions()).toEqual([200, 12])
    expect(field.counts()).toEqual(['p0=150', 'p1=12'])
    const gap = { kind: 'gap', detail: { topic: field.input, partition: 0, from: 100, to: 150 } }
    expect(field.events(field.counting())).toContainEqual(gap)
  })

  it('stops too when it goes while it is read', async () => {
    const field = await behind()
    const trimming = withFetches(1, async (fetches) => {
      if (fetches === 4) await field.log.admin().trim(field.at(0), 180)
    })
    expect(await field.fail(field.counting(), {}, trimming)).toMatchObject({ code: 'INPUT_LOST', exit: 66 })
    expect(field.positions()).toEqual([100, 10])
    expect(field.counts()).toEqual(['p0=100', 'p1=10'])
  })
})
