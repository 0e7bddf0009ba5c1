import { type JobBuilder, job } from 'tidemark'
import { type StoreEntry, TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'
import { storeIdentities } from '../../src/runtime/topology-stores.ts'
import { TOPOLOGIES } from './topologies/all.ts'
import { anyTopic } from './topologies/topics.ts'
import { vectorCases, vectorIds } from './vectors.ts'

const ids = (vectorIds() ?? []).filter((id) => TOPOLOGIES[id] !== undefined && id !== 'timestamp-fail')

/** A driver that a case was piped through which does not fail. */
async function driven(id: string, build: (builder: JobBuilder) => void): Promise<TestDriver> {
  const driver = await TestDriver.create(job('stores', {}, build))
  const input = vectorCases(id).find(({ failedAt }) => failedAt === undefined)?.input ?? []
  for (const { topic, key, value, timestamp } of input) {
    await driver.append(anyTopic(topic), [{ key, value, timestamp }])
  }
  await driver.process()
  return driver
}

const hasStores = (build: (builder: JobBuilder) => void) =>
  storeIdentities(job('stores', {}, build).topology).length > 0

describe.runIf(ids.length > 0)('the test driver', () => {
  it.each(ids.filter((id) => hasStores(TOPOLOGIES[id] ?? (() => {}))))(
    'reads every store of %s, whole and by key',
    async (id) => {
      const build = TOPOLOGIES[id] ?? (() => {})
      const driver = await driven(id, build)
      const { topology } = job('stores', {}, build)
      let rows = 0
      for (const { name } of storeIdentities(topology)) {
        const entries = await driver.store(name)
        rows += entries.length
        const keys = new Map(entries.map(({ key }) => [JSON.stringify(key), key]))
        for (const [text, key] of [...keys].slice(0, 5)) {
          const mine = entries.filter((entry: StoreEntry) => JSON.stringify(entry.key) === text)
          expect(await driver.store(name, { key })).toEqual(mine)
        }
      }
      expect(rows).toBeGreaterThan(0)
    },
  )
})
