import {
  calendar,
  type JobBuilder,
  job,
  joinWindows,
  json,
  keyValueStore,
  session,
  sessionStore,
  sliding,
  string,
  type Topic,
  timestampedKeyValueStore,
  timestampedWindowStore,
  topic,
  tumbling,
  untilTimeLimit,
  untilWindowCloses,
  versionedStore,
  windowStore,
} from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import { storesOf } from '../../../src/topology/stores-of.ts'
import { TOPOLOGIES } from '../../conformance/topologies/all.ts'

const numbers = topic('numbers', { key: string(), value: json<number>() })
const others = topic('others', { key: string(), value: json<number>() })
const orders = topic('orders', { key: string(), value: json<{ readonly item: string }>() })
const prices = topic('prices', { key: string(), value: json<number>() })

type Piped = (driver: TestDriver) => Promise<void>

/** Pipes a record. */
const put =
  <V>(to: Topic<string, V>, key: string, value: V | null, timestamp: number): Piped =>
  (driver) =>
    driver.pipe(to, { key, value, timestamp })

interface Kind {
  readonly kind: string
  readonly build: (builder: JobBuilder) => void
  readonly input: readonly Piped[]
  /** All rows of every store of the job: key, window if there is one, value, timestamp. */
  readonly stores: Readonly<Record<string, readonly object[]>>
}

const row = (key: unknown, value: unknown, timestamp: number) => ({ key, value, timestamp })
const windowRow = (key: unknown, start: number, end: number, value: unknown, timestamp: number) => {
  return { key, start, end, value, timestamp }
}

const KINDS: readonly Kind[] = [
  {
    kind: 'a table of a topic, and what is kept of it',
    build: ({ table }) => {
      const kept = table(numbers, 'kept')
      kept.filter((n) => n > 1, 'filtered')
      kept.mapValues((n) => n * 2, 'mapped', json<number>())
      kept.transformValues('transformed', { value: json<number>() }, () => (n) => n && -n)
    },
    input: [put(numbers, 'a', 1, 10), put(numbers, 'b', 2, 20), put(numbers, 'c', 3, 30), put(numbers, 'c', null, 40)],
    stores: {
      kept: [row('a', 1, 10), row('b', 2, 20)],
      filtered: [row('b', 2, 20)],
      mapped: [row('a', 2, 10), row('b', 4, 20)],
      transformed: [row('a', -1, 10), row('b', -2, 20)],
    },
  },
  {
    kind: 'aggregates, of streams and of tables',
    build: ({ stream, table }) => {
      stream(numbers).groupByKey().count('counts')
      stream(numbers).toTable('latest')
      table(others)
        .groupBy((n) => [n > 5 ? 'many' : 'few', n], string())
        .count('groups')
    },
    input: [put(numbers, 'a', 1, 10), put(numbers, 'a', 2, 20), put(others, 'x', 1, 5), put(others, 'x', 9, 7)],
    stores: {
      counts: [row('a', 2, 20)],
      latest: [row('a', 2, 20)],
      others: [row('x', 9, 7)],
      groups: [row('few', 0, 7), row('many', 1, 7)],
    },
  },
  {
    kind: 'windows of every kind',
    build: ({ stream }) => {
      const grouped = stream(numbers).groupByKey()
      grouped.windowedBy(tumbling(10)).count('tumbling')
      grouped.windowedBy(sliding(10)).count('sliding')
      grouped.windowedBy(session(10)).count('sessions')
      grouped.windowedBy(calendar('day', { zone: 'Europe/Berlin' })).count('days')
    },
    input: [put(numbers, 'a', 1, 12), put(numbers, 'a', 1, 17)],
    stores: {
      tumbling: [windowRow('a', 10, 20, 2, 17)],
      sliding: [windowRow('a', 2, 12, 1, 12), windowRow('a', 7, 17, 2, 17), windowRow('a', 13, 23, 1, 17)],
      sessions: [windowRow('a', 12, 17, 2, 17)],
      // no window begins before the epoch
      days: [windowRow('a', 0, 82_800_000, 2, 17)],
    },
  },
  {
    kind: 'versioned tables',
    build: ({ table }) => void table(numbers, 'versions', { historyRetention: '1h' }),
    input: [put(numbers, 'a', 1, 10), put(numbers, 'a', 2, 20), put(numbers, 'a', 9, 5)],
    stores: {
      versions: [row('a', 2, 20)],
      'versions-history': [windowRow('a', 5, 10, 9, 5), windowRow('a', 10, 20, 1, 10)],
    },
  },
  {
    kind: 'global tables',
    build: ({ stream, globalTable }) =>
      stream(orders)
        .join(
          globalTable(prices, 'all-prices'),
          ({ item }) => item,
          (_, price) => price,
        )
        .to(numbers),
    input: [put(prices, 'tea', 3, 10)],
    stores: { 'all-prices': [row('tea', 3, 10)] },
  },
  {
    kind: 'both sides of a join of streams, and what has no match',
    build: ({ stream }) => {
      stream(numbers).outerJoin(stream(others), (one, other) => [one, other], joinWindows(10), 'pairs')
    },
    input: [put(numbers, 'a', 1, 10), put(others, 'b', 2, 12)],
    stores: {
      'pairs-left': [row('a', 1, 10)],
      'pairs-left-unmatched': [row('a', 1, 10)],
      'pairs-right': [row('b', 2, 12)],
      'pairs-right-unmatched': [row('b', 2, 12)],
    },
  },
  {
    kind: 'a join of streams with a table of some time ago',
    build: ({ stream, table }) => {
      const versions = table(others, 'versions', { historyRetention: '1h' })
      stream(numbers).join(versions, (one, other) => one + other, 'waiting', { grace: 100 })
    },
    input: [put(others, 'a', 5, 1), put(numbers, 'a', 1, 10)],
    stores: { versions: [row('a', 5, 1)], 'versions-history': [], waiting: [row('a', 1, 10)] },
  },
  {
    kind: 'joins of tables, by key and by foreign key',
    build: ({ table }) => {
      const all = table(orders, 'orders')
      const priced = table(prices, 'prices')
      all.join(priced, ({ item }, price) => `${item} ${price}`, 'by-key', string())
      all.join(
        priced,
        ({ item }) => item,
        ({ item }, price) => `${item} for ${price}`,
        'by-item',
        { result: string() },
      )
    },
    input: [put(orders, 'ann', { item: 'tea' }, 10), put(prices, 'tea', 3, 20), put(prices, 'ann', 7, 30)],
    stores: {
      orders: [row('ann', { item: 'tea' }, 10)],
      prices: [row('ann', 7, 30), row('tea', 3, 20)],
      'by-key': [row('ann', 'tea 7', 30)],
      'by-item': [row('ann', 'tea for 3', 20)],
      // who asks, and the hash of the row that asked
      'by-item-subscriptions': [row({ foreignKey: 'tea', key: 'ann' }, 'c7706707f9b69295', 10)],
    },
  },
  {
    kind: 'what is held back',
    build: ({ stream, table }) => {
      stream(numbers).groupByKey().windowedBy(tumbling(10)).count('counts').suppress('final', untilWindowCloses())
      table(others).suppress('quiet', untilTimeLimit(100))
    },
    input: [put(numbers, 'a', 1, 12), put(others, 'b', 5, 20)],
    stores: {
      counts: [windowRow('a', 10, 20, 1, 12)],
      final: [windowRow('a', 10, 20, 1, 12)],
      others: [row('b', 5, 20)],
      quiet: [row('b', 5, 20)],
    },
  },
  {
    kind: 'every store that a processor declares',
    build: ({ stream }) => {
      const stores = {
        plain: keyValueStore(string(), json<number>()),
        stamped: timestampedKeyValueStore(string(), json<number>()),
        windows: windowStore(string(), json<number>(), { size: 10, retention: '1h' }),
        'stamped-windows': timestampedWindowStore(string(), json<number>(), { size: 10, retention: '1h' }),
        sessions: sessionStore(string(), json<number>(), { retention: '1h' }),
        versions: versionedStore(string(), json<number>(), { historyRetention: '1h' }),
      }
      stream(numbers).process('keeping', { stores }, ({ stores: kept }) => ({ key, value, timestamp }) => {
        kept.plain.put(key, value)
        kept.stamped.put(key, value, timestamp + 1)
        kept.windows.put(key, value, 10)
        kept['stamped-windows'].put(key, value, 10, timestamp + 2)
        kept.sessions.put({ key, start: 3, end: timestamp }, value)
        kept.versions.put(key, value, timestamp)
      })
    },
    input: [put(numbers, 'a', 1, 12), put(numbers, 'a', 2, 15)],
    stores: {
      plain: [row('a', 2, 15)],
      stamped: [row('a', 2, 16)],
      windows: [windowRow('a', 10, 20, 2, 15)],
      'stamped-windows': [windowRow('a', 10, 20, 2, 17)],
      sessions: [windowRow('a', 3, 12, 1, 12), windowRow('a', 3, 15, 2, 15)],
      versions: [row('a', 2, 15)],
      'versions-history': [windowRow('a', 12, 15, 1, 12)],
    },
  },
]

/** The kinds of nodes that keep something. */
function keeping(builds: readonly ((builder: JobBuilder) => void)[]): ReadonlySet<string> {
  const nodes = builds.flatMap((build) => job('stores', {}, build).topology.nodes)
  return new Set(nodes.filter((node) => storesOf(node).length > 0).map(({ kind }) => kind))
}

it('every kind of step that keeps something is here', () => {
  expect(keeping(KINDS.map(({ build }) => build))).toEqual(keeping(Object.values(TOPOLOGIES)))
})

describe('the test driver reads', () => {
  it.each(KINDS)('$kind', async ({ build, input, stores }) => {
    const made = job('stores', {}, build)
    const driver = await TestDriver.create(made)
    for (const pipe of input) await pipe(driver)
    const read: Record<string, readonly object[]> = {}
    for (const { name } of storeIdentities(made.topology)) read[name] = await driver.store(name)
    expect(read).toEqual(stores)
    await driver.endRange()
    driver.crash()
    for (const name of Object.keys(stores)) expect(await driver.store(name)).toEqual(stores[name])
  })
})
