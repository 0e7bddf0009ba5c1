import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchSender } from '../../../../src/adapters/kafka/produce/batch-sender.ts'
import { type CheckedBatch, checkedBatch } from '../../../../src/adapters/kafka/produce/checked-batch.ts'
import { batchOf, record } from '../../../contract/log/records.ts'
import { Chance } from '../../../e2e/crash/chance.ts'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import { FlakyBrokers } from './flaky-brokers.ts'

const LIMIT_BYTES = 300
const NO_FAULTS = () => 0.999
/** Every connection breaks before anything has arrived. */
const NOTHING_ARRIVES = () => 0

function senderTo(brokers: FlakyBrokers, options: { requestBytes?: number; heldBytes?: number } = {}): BatchSender {
  const limitOf = async () => LIMIT_BYTES
  const producer = { producerId: 7, producerEpoch: 3 }
  return new BatchSender(brokers, { transactionalId: null, producer, limitOf, ...options })
}

function batch(partition: number, values: readonly string[], topic = 'out'): CheckedBatch {
  const records = values.map((value) => record('k', value))
  return checkedBatch(batchOf({ topic, partition }, records))
}

describe('BatchSender', () => {
  it('appends every record once and in order, whatever is lost on the way', { timeout: 120_000 }, async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 })
    const some = { minLength: 1, maxLength: 8 }
    const sends = fc.array(fc.array(fc.record({ partition: fc.nat(2), sizes }), some), some)
    const property = fc.asyncProperty(sends, fc.nat(), fc.integer({ min: 1, max: 3 }), async (sends, seed, nodes) => {
      const chance = new Chance(seed)
      const brokers = new FlakyBrokers(3, nodes, LIMIT_BYTES, () => chance.next())
      const sender = senderTo(brokers, { requestBytes: 500, heldBytes: 1500 })
      const wanted: string[][] = [[], [], []]
      let number = 0
      for (const send of sends) {
        const batches = send.map(({ partition, sizes }) => {
          const values = sizes.map((size) => String(++number).padEnd(size, '.'))
          wanted[partition]?.push(...values)
          return batch(partition, values)
        })
        await sender.send(batches)
        if (chance.next() < 0.2) await sender.flushed()
      }
      await sender.flushed()
      expect(brokers.records()).toEqual(wanted)
    })
    await fc.assert(property, propertyRuns(300))
  })

  it('sends on while nothing is answered yet, to a bound of requests and bytes', async () => {
    const brokers = new FlakyBrokers(1, 1, LIMIT_BYTES, NO_FAULTS)
    const sender = senderTo(brokers, { heldBytes: 1500 })
    await sender.send([batch(0, ['first'])])
    await sender.flushed()
    let taken = 0
    let behind = 0
    function* many() {
      for (; taken < 40; taken++) {
        behind = Math.max(behind, taken - brokers.records()[0]!.length + 1)
        yield batch(0, [`${taken}`.padEnd(100, '.')])
      }
    }
    await sender.send(many())
    await sender.flushed()
    expect(brokers.mostUnderWay).toBe(5)
    expect(behind).toBeGreaterThan(5)
    expect(behind).toBeLessThan(12)
  })

  it('names the record that is too large, and goes on with the next number once it is cleared', async () => {
    const brokers = new FlakyBrokers(2, 1, LIMIT_BYTES, NO_FAULTS)
    const sender = senderTo(brokers)
    await sender.send([batch(0, ['a', 'b']), batch(1, ['x'])])
    await sender.flushed()
    await sender.send([batch(0, ['c']), batch(0, ['d', 'L'.repeat(280), 'e']), batch(0, ['f'])])
    const failure = await sender.flushed().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', at: { topic: 'out', partition: 0 } })
    expect(String(failure)).toMatch(/record of 35\d bytes \(key "k"\) is over the limit of 300/)
    await expect(sender.send([batch(1, ['y'])])).rejects.toBe(failure)
    expect(await sender.clear()).toBe(true)
    await sender.send([batch(0, ['g']), batch(1, ['z'])])
    await sender.flushed()
    expect(brokers.records()).toEqual([
      ['a', 'b', 'c', 'd', 'g'],
      ['x', 'z'],
    ])
  })

  it('splits a batch that is too large, and later ones before they are sent', async () => {
    const brokers = new FlakyBrokers(1, 1, LIMIT_BYTES, NO_FAULTS)
    const sender = senderTo(brokers)
    const values = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(40, '.'))
    await sender.send([batch(0, values)])
    await sender.flushed()
    const refused = brokers.refused
    expect(refused).toBeGreaterThan(0)
    await sender.send([batch(0, values)])
    await sender.flushed()
    expect(brokers.refused).toBe(refused)
    expect(brokers.records()).toEqual([[...values, ...values]])
  })

  it.each([
    ['topic', batch(0, ['a'], 'missing'), { topic: 'missing' }],
    ['partition', batch(9, ['a']), { topic: 'out', partition: 9 }],
  ])('refuses a %s that does not exist', async (_, stray, at) => {
    const sender = senderTo(new FlakyBrokers(1, 1, LIMIT_BYTES, NO_FAULTS))
    await expect(sender.reach([stray])).rejects.toMatchObject({ code: 'OUTPUT_REFUSED', at })
    await expect(sender.send([stray])).rejects.toMatchObject({ code: 'OUTPUT_REFUSED' })
  })

  it('gives up after the bound, and says that what has arrived is not known', async () => {
    const brokers = new FlakyBrokers(1, 1, LIMIT_BYTES, NO_FAULTS)
    const sender = senderTo(brokers)
    await sender.send([batch(0, ['a'])])
    await sender.flushed()
    brokers.chance = NOTHING_ARRIVES
    await sender.send([batch(0, ['b'])])
    await expect(sender.flushed()).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' })
    expect(brokers.clock.now()).toBeGreaterThanOrEqual(brokers.settings.retryForMs)
    expect(await sender.clear()).toBe(false)
    expect(brokers.records()).toEqual([['a']])
  })
})
