import { expect, it } from 'vitest'
import type { Isolation, LogWatch } from '../../../src/ports/log.ts'
import type { LogTest } from './log-contract.ts'
import { batchOf, record } from './records.ts'

/** Longer than a test may last: whoever waits for it has not been told. */
const FOR_EVER_MS = 3_600_000

export function watchingContract({ log, lut, open, name, lacks }: LogTest): void {
  const topic = () => name('watched')
  const batch = (partition = 0) => batchOf({ topic: topic(), partition }, [record('a', '1', 1)])

  async function watching(use: (watch: LogWatch) => Promise<void>, isolation: Isolation = 'read_committed') {
    await log().admin().create({ name: topic(), partitions: 2 })
    const watch = log().watch(isolation)
    try {
      await use(watch)
    } finally {
      await watch.close()
    }
  }

  const at = (...offsets: readonly number[]) =>
    offsets.map((offset, partition) => ({ topic: topic(), partition, offset }))

  it('tells at once what is there, and at its time that nothing is', () =>
    watching(async (watch) => {
      await log()
        .admin()
        .append([batch(1), batch(1)])
      await watch.arrival(at(0, 0), FOR_EVER_MS)
      await watch.arrival(at(0, 1), FOR_EVER_MS)
      await watch.arrival(at(0, 2), 1)
    }))

  it('tells what comes by another handle, each time', () =>
    watching(async (watch) => {
      const other = await open()
      for (let offset = 0; offset < 3; offset++) {
        let told = false
        const waits = watch.arrival(at(offset, 0), FOR_EVER_MS).then(() => {
          told = true
        })
        await log().bounds([{ topic: topic(), partition: 0 }], 'read_committed')
        expect(told).toBe(false)
        await other.admin().append([batch()])
        await waits
      }
    }))

  it('tells of one partition while nothing comes to the others', () =>
    watching(async (watch) => {
      const other = await open()
      const waits = watch.arrival(at(0, 0), FOR_EVER_MS)
      await other.admin().append([batch(1)])
      await waits
    }))

  it('ends when the signal says so', () =>
    watching(async (watch) => {
      const stop = new AbortController()
      const waits = watch.arrival(at(0, 0), FOR_EVER_MS, stop.signal)
      stop.abort()
      await waits
      await watch.arrival(at(0, 0), FOR_EVER_MS, stop.signal)
    }))

  it('ends when the log is in trouble, which other methods then tell', () =>
    watching(async (watch) => {
      await watch.arrival([...at(0, 0), { topic: topic(), partition: 2, offset: 0 }], FOR_EVER_MS)
      await (await open()).admin().delete(topic())
      await watch.arrival(at(0, 0), FOR_EVER_MS)
    }))

  it.skipIf(lacks('transactions'))('does not tell of what an open transaction holds back, until it ends', () =>
    watching(async (watch) => {
      const transaction = await lut().transaction()
      await transaction.append([batch()])
      const uncommitted = (await open()).watch('read_uncommitted')
      await uncommitted.arrival(at(0, 0), FOR_EVER_MS)
      await uncommitted.close()
      let told = false
      const waits = watch.arrival(at(0, 0), FOR_EVER_MS).then(() => {
        told = true
      })
      await log().bounds([{ topic: topic(), partition: 0 }], 'read_committed')
      expect(told).toBe(false)
      await transaction.commit()
      await waits
    }),
  )
}
