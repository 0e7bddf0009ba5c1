import {
  type Forward,
  json,
  keyValueStore,
  sessionStore,
  string,
  timestampedKeyValueStore,
  timestampedWindowStore,
  versionedStore,
  windowStore,
} from 'tidemark'
import type { OperatorShape } from './operator-shape.ts'
import { CLOCK_STEP } from './subject-play.ts'
import { INPUT, type Item, STREAM_OUT } from './topics.ts'

const number = json<number>()

/** Processors with every kind of store, in `process` and in `processValues`, and with every kind of punctuation. */
export const PROCESSOR_SHAPES = {
  'process with a store of each kind': ({ stream }, { size, grace }) => {
    const stores = {
      sums: keyValueStore(string(), number),
      latest: timestampedKeyValueStore(string(), number),
      windows: windowStore(string(), number, { size, retention: size * 5 }),
      dated: timestampedWindowStore(string(), number, { size, retention: size * 4 + grace }),
      visits: sessionStore(string(), number, { retention: size * 5 }),
      versions: versionedStore(string(), number, { historyRetention: size * 4 }),
    }
    stream(INPUT)
      .process(
        'kept',
        { stores, key: string() },
        ({ stores, streamTime, origin }, forward: Forward<string, unknown>) => {
          const { sums, latest, windows, dated, visits, versions } = stores
          return ({ key, value, timestamp }) => {
            if (key === null || value === null) return
            const { n } = value
            sums.put(key, n === 0 ? null : (sums.get(key) ?? 0) + n)
            sums.putIfAbsent(value.group, n)
            if (n < -3) latest.delete(key)
            else latest.put(key, n, timestamp)
            const start = timestamp - (timestamp % size)
            windows.put(key, n === 3 ? null : (windows.fetch(key, start) ?? 0) + 1, start)
            dated.put(key, n, start, timestamp)
            for (const [visit] of visits.findSessions(key, timestamp - size, timestamp + size)) visits.remove(visit)
            visits.put({ key, start: Math.max(0, timestamp - size), end: timestamp }, n)
            versions.put(key, n === 2 ? null : n, timestamp)
            forward({
              key,
              value: {
                sums: [...sums.range(key, null)],
                latest: [...latest.all()],
                windows: [...windows.fetch(key, 0, timestamp)],
                dated: [...dated.fetchAll(Math.max(0, timestamp - 2 * size), timestamp)],
                visits: [...visits.fetch(key)],
                before: versions.get(key, Math.max(0, timestamp - size)),
                streamTime: streamTime(),
                origin: origin(),
              },
            })
          }
        },
      )
      .to(STREAM_OUT)
  },
  'processValues with a store of each kind': ({ stream }, { size }) => {
    const stores = {
      sums: keyValueStore(string(), number),
      latest: timestampedKeyValueStore(string(), number),
      windows: windowStore(string(), number, { size, retention: size * 5 }),
      dated: timestampedWindowStore(string(), number, { size, retention: size * 4 }),
      visits: sessionStore(string(), number, { retention: size * 5 }),
      versions: versionedStore(string(), number, { historyRetention: size * 4 }),
    }
    stream(INPUT)
      .filter((value, key) => value !== null && key !== null)
      .processValues(
        'kept',
        { stores, value: json<object>() },
        ({ stores: { sums, latest, windows, dated, visits, versions } }, forward) =>
          ({ key, value, timestamp }) => {
            if (key === null || value === null) return
            const { n } = value
            const sum = (sums.get(key) ?? 0) + n
            sums.put(key, sum)
            const before = latest.get(key)
            latest.put(key, sum, timestamp)
            windows.put(key, sum, timestamp)
            dated.put(key, n, timestamp, timestamp + 1)
            visits.put({ key, start: timestamp, end: timestamp + size }, sum)
            versions.put(key, sum, timestamp)
            const near = [...windows.fetchAll(Math.max(0, timestamp - size), timestamp)]
            forward({ value: { sum, before, near, dated: [...dated.all()], was: versions.get(key) } })
          },
      )
      .to(STREAM_OUT)
  },
  'punctuation by stream time': ({ stream }, { size, advance }) => {
    const stores = { counts: keyValueStore(string(), number) }
    stream(INPUT)
      .process(
        'ticking',
        { stores, key: string() },
        ({ schedule, stores: { counts } }, forward: Forward<string, unknown>) => {
          schedule(size * 2, 'stream-time', (time) => {
            for (const [key, count] of [...counts.all()]) {
              forward({ key, value: [count, time], timestamp: time })
              counts.delete(key)
            }
          })
          const few = schedule(advance * 3, 'stream-time', (time) => {
            const fired = (counts.get('fired') ?? 0) + 1
            counts.put('fired', fired)
            forward({ key: 'few', value: time })
            if (fired === 3) few.cancel()
          })
          return ({ key }) => {
            if (key !== null) counts.put(key, (counts.get(key) ?? 0) + 1)
          }
        },
      )
      .to(STREAM_OUT)
  },
} satisfies Readonly<Record<string, OperatorShape>>

/** Processors that look at the run's recorded clock, whose laws need it to move. */
export const CLOCKED_SHAPES = {
  'punctuation by wall clock': ({ stream }, { size }) => {
    const stores = { counts: keyValueStore(string(), number) }
    stream(INPUT)
      .process(
        'ticking',
        { stores, key: string() },
        ({ schedule, now, task, stores: { counts } }, forward: Forward<string, unknown>) => {
          schedule(CLOCK_STEP, 'wall-clock', (time) => {
            forward({ key: 'tick', value: [task, time, now()] })
            for (const [key, count] of [...counts.all()]) {
              forward({ key, value: count, timestamp: size })
              counts.delete(key)
            }
          })
          const once = schedule(CLOCK_STEP / 2, 'wall-clock', (time) => {
            forward({ key: 'once', value: time })
            once.cancel()
          })
          schedule(CLOCK_STEP * 2, 'wall-clock', (time) => forward({ key: 'second', value: time }))
          return ({ key, value }) => {
            if (key === null || value === null) return
            counts.put(key, (counts.get(key) ?? 0) + value.n)
            forward({ key, value: counts.get(key) })
          }
        },
      )
      .to(STREAM_OUT)
  },
  'punctuation by both clocks': ({ stream }, { size }) => {
    const stores = { last: timestampedKeyValueStore(string(), json<Item>()) }
    stream(INPUT)
      .filter((value, key) => value !== null && key !== null)
      .process(
        'watched',
        { stores, key: string() },
        ({ schedule, streamTime, stores: { last } }, forward: Forward<string, unknown>) => {
          schedule(CLOCK_STEP, 'wall-clock', () => {
            for (const [key, entry] of [...last.all()]) forward({ key, value: ['clock', entry, streamTime()] })
          })
          schedule(size * 3, 'stream-time', (time) => {
            for (const [key, { timestamp }] of [...last.all()]) {
              if (timestamp < time - size * 2) last.delete(key)
            }
          })
          return ({ key, value, timestamp }) => {
            if (key !== null) last.put(key, value, timestamp)
          }
        },
      )
      .groupByKey()
      .count('forwarded')
      .toStream()
      .to(STREAM_OUT)
  },
} satisfies Readonly<Record<string, OperatorShape>>
