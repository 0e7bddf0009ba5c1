import { type Job, job } from 'tidemark'
import { type StoreEntry, TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'
import { storeIdentities } from '../../src/runtime/stores/topology-stores.ts'
import { TOPOLOGIES } from './topologies/all.ts'
import { anyTopic } from './topologies/topics.ts'
import { type VectorRecord, vectorCases, vectorIds } from './vectors.ts'

const ids = (vectorIds() ?? []).filter((id) => TOPOLOGIES[id] !== undefined)

const jobOf = (id: string): Job => job('stores', {}, TOPOLOGIES[id] ?? (() => {}))

/** A driver that the records were piped through. */
async function driven(id: string, input: readonly VectorRecord[]): Promise<TestDriver> {
  const driver = await TestDriver.create(jobOf(id))
  for (const { topic, key, value, timestamp } of input) {
    await driver.append(anyTopic(topic), [{ key, value, timestamp }])
  }
  await driver.process()
  return driver
}

/** How often a store is asked in vain before it is given up on: it may be empty where a range ends. */
const PARTS = [1, 0.8, 0.6, 0.4, 0.2]

/** It lets every change go at once, and so holds none. */
const holdsNothing = (id: string, store: string) => id === 'suppress-time-limit-zero' && store === 'quiet'

/** A driver in whose store there are rows: after one of the cases, or after a part of it. Undefined where there never are. */
async function withRows(id: string, store: string): Promise<{ driver: TestDriver; entries: StoreEntry[] } | undefined> {
  for (const part of PARTS) {
    for (const { input, failedAt = input.length } of vectorCases(id)) {
      const driver = await driven(id, input.slice(0, Math.floor(failedAt * part)))
      const entries = await driver.store(store)
      if (entries.length > 0) return { driver, entries }
    }
  }
  return undefined
}

const stores = ids.flatMap((id) => storeIdentities(jobOf(id).topology).map(({ name }) => ({ id, name })))

describe.runIf(ids.length > 0)('the test driver', () => {
  it('is asked for the stores of most topologies', () => {
    expect(stores.length).toBeGreaterThan(100)
  })

  it.each(stores)('reads the store $name of $id, whole and by key', async ({ id, name }) => {
    const found = await withRows(id, name)
    expect(found === undefined).toBe(holdsNothing(id, name))
    if (found === undefined) return
    const { driver, entries } = found
    const keys = new Map(entries.map(({ key }) => [JSON.stringify(key), key]))
    for (const [text, key] of [...keys].slice(0, 5)) {
      const mine = entries.filter((entry) => JSON.stringify(entry.key) === text)
      expect(await driver.store(name, { key })).toEqual(mine)
    }
  })
})
