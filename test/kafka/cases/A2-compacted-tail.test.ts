import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record, singles } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

/** Compacted as soon as there is anything to compact, and tombstones with it. */
const AT_ONCE = {
  'cleanup.policy': 'compact',
  'segment.ms': '1',
  'min.cleanable.dirty.ratio': '0.0001',
  'delete.retention.ms': '0',
}

describe.skipIf(kafka.missing)('A2, A9: compaction has taken the records', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  /**
   * Resolves when the broker has left this of `[0, end)`. The active segment is never compacted, and a tombstone goes in a
   * second pass: so something has to follow, again and again, that no reader sees.
   */
  async function compacted(field: KafkaField, end: number, left: readonly string[]): Promise<void> {
    while ((await field.read(0, end)).join() !== left.join()) {
      const transaction = await field.transaction()
      await transaction.append([batchOf(field.at(), [record('x', '1', Date.now())])])
      await transaction.abort()
      await transaction.end()
    }
  }

  it('at the end of the range: it ends there all the same', async () => {
    const field = new KafkaField(bootstrap)
    await field.make(1, AT_ONCE)
    const admin = field.log.admin()
    await admin.append([batchOf(field.at(), [record('a', '1'), record('b', '1')])])
    await admin.append([batchOf(field.at(), [record('a', '2', 2000), record('a', null, 2000)])])
    await compacted(field, 4, ['1b=1'])
    for (const [from, to] of [
      [0, 4],
      [2, 4],
      [3, 4],
      [2, 3],
    ] as const) {
      expect(await field.read(from, to)).toEqual(from === 0 ? ['1b=1'] : [])
    }
    expect((await field.run(field.counting(), { to: '4' })).records).toBe(1)
    expect(field.positions()).toEqual([4])
    expect(field.counts()).toEqual(['b=1'])
    expect((await field.run(field.counting(), { to: '4' })).records).toBe(0)
    expect((await field.run(field.counting())).records).toBe(0)
    const [bounds] = await field.log.bounds([field.at()], 'read_committed')
    expect(field.positions()).toEqual([bounds?.end])
  })

  it('at the start: it is no loss (A9)', async () => {
    const field = new KafkaField(bootstrap)
    await field.make(1, AT_ONCE)
    const times = Array.from({ length: 7 }, (_, i) => record('a', '1', 1000 + i))
    await field.log.admin().append(singles(field.at(), times))
    await field.log.admin().append(
      singles(
        field.at(),
        ['a', 'b', 'c'].map((key) => record(key, '1', 5000)),
      ),
    )
    await compacted(field, 10, ['7a=1', '8b=1', '9c=1'])
    const run = await field.run(field.counting(), { to: '10' })
    expect(run).toMatchObject({ records: 3, notices: [] })
    expect(field.positions()).toEqual([10])
  })
})
