import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import type { LogTest } from './log-contract.ts'
import { batchOf, readAll, record, singles } from './records.ts'

export function timesContract({ log, name, lut, lacks }: LogTest): void {
  const at = (partition = 0) => ({ topic: name('t'), partition })
  const create = (partitions = 1) =>
    log()
      .admin()
      .create({ name: name('t'), partitions })
  const asked = async (...timestamps: number[]) =>
    log().offsetsForTime(timestamps.map((timestamp) => ({ ...at(), timestamp })))

  it('finds the first offset at or past a time, and the end where there is none (A8)', async () => {
    await create(3)
    await log()
      .admin()
      .append(
        singles(
          at(0),
          [1000, 2000, 3000].map((time) => record('a', '1', time)),
        ),
      )
    await log()
      .admin()
      .append(singles(at(2), [record('a', '1', 500)]))
    const times = (timestamp: number) => [0, 1, 2].map((partition) => ({ ...at(partition), timestamp }))
    expect(await log().offsetsForTime(times(1500))).toEqual([1, 0, 1])
    expect(await log().offsetsForTime(times(2500))).toEqual([2, 0, 1])
    expect(await log().offsetsForTime(times(0))).toEqual([0, 0, 0])
    expect(await log().offsetsForTime([])).toEqual([])
  })

  it('answers in the order asked, and takes exact times as found', async () => {
    await create()
    await log()
      .admin()
      .append(
        singles(
          at(),
          [1000, 2000, 3000].map((time) => record('a', '1', time)),
        ),
      )
    expect(await asked(3001, 3000, 1000, 999, 2000, 2001)).toEqual([3, 2, 0, 0, 1, 2])
  })

  it('takes times before 1970 as such (B9)', async () => {
    await create()
    await log()
      .admin()
      .append(singles(at(), [record('a', '1', 1000), record('b', '1', 2000)]))
    expect(await asked(-1, -2, -3, -1000)).toEqual([0, 0, 0, 0])
  })

  it('does not go past a batch that may hold the record', async () => {
    await create()
    await log()
      .admin()
      .append([
        batchOf(at(), [record('a', '1', 10), record('a', '1', 20)]),
        batchOf(at(), [record('a', '1', 30), record('a', '1', 40), record('a', '1', 15)]),
      ])
    const [found = -1] = await asked(40)
    expect(found).toBeGreaterThanOrEqual(2)
    expect(found).toBeLessThanOrEqual(3)
  })

  it('does not answer below the log start', async () => {
    await create()
    await log()
      .admin()
      .append([
        batchOf(
          at(),
          [10, 20, 30].map((time) => record('a', '1', time)),
        ),
      ])
    await log().admin().trim(at(), 2)
    expect(await asked(0, 30, 31)).toEqual([2, 2, 3])
    await log().admin().trim(at(), 3)
    expect(await asked(0)).toEqual([3])
  })

  it.skipIf(lacks('skip'))('gives a lower bound where there are holes, and the end past them', async () => {
    await create()
    await log()
      .admin()
      .append(singles(at(), [record('a', '1', 10)]))
    await lut().skip(at(), 2)
    await log()
      .admin()
      .append(singles(at(), [record('a', '1', 20)]))
    await lut().skip(at(), 1)
    const [found = -1, end] = await asked(15, 25)
    expect(found).toBeGreaterThanOrEqual(1)
    expect(found).toBeLessThanOrEqual(3)
    expect(end).toBeGreaterThanOrEqual(lacks('exact end for times') ? 1 : 5)
    expect(end).toBeLessThanOrEqual(5)
  })

  it.skipIf(lacks('transactions'))('does not pass a record that an open transaction may still give', async () => {
    await create()
    const transaction = await lut().transaction()
    await transaction.append(singles(at(), [record('b', '1', 2000)]))
    await log()
      .admin()
      .append(singles(at(), [record('c', '1', 2000)]))
    expect(await asked(2000)).toEqual([0])
    await transaction.abort()
  })

  it('agrees with a search through the records, for any times and batches', async () => {
    const batches = fc.array(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 5 }), {
      maxLength: 8,
    })
    let round = 0
    const property = fc.asyncProperty(batches, fc.integer({ min: 0, max: 51 }), async (times, wanted) => {
      round += 1
      const topic = { topic: name(`t${round}`), partition: 0 }
      await log().admin().create({ name: topic.topic, partitions: 1 })
      await log()
        .admin()
        .append(
          times.map((batch) =>
            batchOf(
              topic,
              batch.map((time) => record('a', '1', time)),
            ),
          ),
        )
      const [found = -1] = await log().offsetsForTime([{ ...topic, timestamp: wanted }])
      const records = await readAll(log(), topic)
      const exact = records.find(({ timestamp }) => timestamp >= wanted)?.offset ?? records.length
      expect(found).toBeLessThanOrEqual(exact)
      const early = times.findIndex((batch) => Math.max(...batch) >= wanted)
      const least = early < 0 ? records.length : times.slice(0, early).flat().length
      expect(found).toBeGreaterThanOrEqual(least)
    })
    await fc.assert(property, propertyRuns(30))
  })
}
