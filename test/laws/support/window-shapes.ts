import {
  approxDistinctCount,
  approxQuantiles,
  calendar,
  collect,
  type Forward,
  hopping,
  type JobBuilder,
  json,
  type KStream,
  keyValueStore,
  last,
  type SerdeKnown,
  session,
  sessionStore,
  sliding,
  string,
  timestampedWindowStore,
  topK,
  untilTimeLimit,
  untilWindowCloses,
  variance,
  versionedStore,
  type Windowed,
} from 'tidemark'
import type { JobSpec } from './random-case.ts'
import { INPUT, type Item, LATE_OUT, STREAM_OUT, TABLE, TABLE_OUT } from './topics.ts'

type Shape = (builder: JobBuilder, spec: JobSpec) => void

const items = ({ stream }: JobBuilder) => stream(INPUT).filter((value) => value !== null)

/** Keeps the order of adding and merging to be seen. */
const log = {
  init: () => '',
  add: (aggregate: string, { n }: Item) => (aggregate === '' ? `${n}` : `${aggregate},${n}`),
  merge: (one: string, two: string) => (one === '' ? two : `${one}|${two}`),
  serde: string(),
}

function out<V, Known extends SerdeKnown>(stream: KStream<Windowed<string>, V, 'serde', Known>): void {
  stream.selectKey((_, { key, start, end }) => `${key}@${start}-${end}`, string()).to(STREAM_OUT)
}

const slid =
  (emit: 'on-update' | 'on-window-close'): Shape =>
  (builder, { size, grace }) => {
    const windows = sliding(size * 3, { grace: grace * 2, retention: size * 6 + grace * 2 })
    const logs = items(builder).groupByKey().windowedBy(windows).aggregate('windows', log, { emit })
    logs.late().to(LATE_OUT)
    out(logs.toStream())
  }

const sessions =
  (emit: 'on-update' | 'on-window-close'): Shape =>
  (builder, { size, grace }) => {
    const windows = session(size * 2, { grace: grace * 2, retention: size * 2 + grace * 2 })
    const logs = items(builder).groupByKey().windowedBy(windows).aggregate('windows', log, { emit })
    logs.late().to(LATE_OUT)
    out(logs.toStream())
  }

/** Windows of every kind, suppression, cogroups, branches and processors. */
export const WINDOW_SHAPES = {
  sliding: slid('on-update'),
  'sliding-closed': slid('on-window-close'),
  sessions: sessions('on-update'),
  'sessions-closed': sessions('on-window-close'),
  'final-sessions': (builder, { size, grace }) => {
    const windows = session(size, { grace: grace * 3 })
    const final = items(builder)
      .groupByKey()
      .windowedBy(windows)
      .aggregate('windows', log)
      .suppress('final', untilWindowCloses())
    final
      .toStream()
      .selectKey((_, { key, start }) => `${key}@${start}`, string())
      .to(STREAM_OUT)
  },
  'final-windows': (builder, { size, advance, grace }) => {
    items(builder)
      .groupBy(({ group }) => group, string())
      .windowedBy(hopping(size * 3, { advance: advance * 3, grace }))
      .count('windows')
      .filter((count) => count > 1)
      .suppress('final', untilWindowCloses())
      .groupBy((count, { key }) => [key, count], string())
      .reduce(
        'totals',
        (one, two) => one + two,
        (one, two) => one - two,
        json<number>(),
      )
      .to(TABLE_OUT)
  },
  quiet: (builder, { size, advance }) => {
    const quiet = builder
      .table(TABLE, 'rows')
      .suppress('quiet', untilTimeLimit(size * 4, { maxRecords: advance, maxBytes: 150 }))
    quiet.toStream().to(STREAM_OUT)
    quiet
      .groupBy((row) => [row % 2 === 0 ? 'even' : 'odd', row], string())
      .count('parities')
      .to(TABLE_OUT)
    items(builder)
      .leftJoin(quiet, (item, row) => ({ ...item, row }))
      .to(STREAM_OUT)
  },
  cogroup: (builder, { size, grace }) => {
    const { even, odd } = items(builder)
      .split()
      .branch('even', ({ n }) => n % 2 === 0)
      .defaultBranch('odd')
    const add = (aggregate: string, entry: string) => (aggregate === '' ? entry : `${aggregate},${entry}`)
    even
      .groupByKey()
      .cogroup((aggregate: string, { n }) => add(aggregate, `${n}`))
      .cogroup(odd.groupByKey(), (aggregate, { n }) => add(aggregate, `odd ${n}`))
      .windowedBy(session(size * 2, { grace }))
      .aggregate('windows', { init: log.init, merge: log.merge, serde: string() })
      .toStream()
      .selectKey((_, { key, start }) => `${key}@${start}`, string())
      .to(STREAM_OUT)
  },
  routed: (builder) => {
    const { x, rest } = items(builder)
      .split()
      .branch('x', ({ group }) => group === 'x')
      .defaultBranch('rest')
    x.selectKey(({ n }) => `n${n}`, string())
      .repartition('by-number', { value: json<Item>() })
      .processValues('numbered', (_, forward: (record: { value: Item }) => void) => forward)
      .to(STREAM_OUT)
    rest
      .filter((_, key) => key !== null)
      .selectKey((_, key) => `${key}`)
      .to([LATE_OUT, STREAM_OUT], ({ n }) => (n < 0 ? LATE_OUT : STREAM_OUT))
  },
  processed: (builder, { size, advance, grace }) => {
    const stores = {
      sums: keyValueStore(string(), json<number>()),
      recent: timestampedWindowStore(string(), json<number>(), { size, retention: size * 3 + grace }),
      visits: sessionStore(string(), json<number>(), { retention: size * 5 }),
      values: versionedStore(string(), json<number>(), { historyRetention: size * 4 }),
    }
    items(builder)
      .process('processed', { stores, key: string() }, (context, forward: Forward<string, unknown>) => {
        const { sums, recent, visits, values } = context.stores
        context.schedule(size * 3, 'stream-time', (time) => {
          for (const [key, sum] of sums.all()) {
            forward({ key, value: ['sum', sum, context.streamTime()], timestamp: time })
            sums.delete(key)
          }
        })
        const few = context.schedule(advance * 5, 'stream-time', () => {
          const fired = (values.get('fired')?.value ?? 0) + 1
          values.put('fired', fired, context.streamTime())
          forward({ key: 'fired', value: fired })
          if (fired === 3) few.cancel()
        })
        return ({ key, value: { n }, timestamp }) => {
          if (key === null) return
          sums.put(key, (sums.get(key) ?? 0) + n)
          const near = [...recent.fetch(key, Math.max(0, timestamp - size * 2), timestamp)].length
          recent.put(key, n === 3 ? null : n, timestamp, timestamp + 1)
          for (const [visit] of visits.findSessions(key, timestamp - size, timestamp + size)) visits.remove(visit)
          visits.put({ key, start: Math.max(0, timestamp - size), end: timestamp }, n)
          values.put(key, n === 2 ? null : n, timestamp)
          forward({ key, value: [near, values.get(key, Math.max(0, timestamp - size))] })
        }
      })
      .to(STREAM_OUT)
  },
  days: (builder, { grace }) => {
    const sixHours = 6 * 3_600_000
    const days = items(builder)
      .processValues('slowed', { value: json<Item>() }, (_, forward) => ({ value, timestamp }) => {
        forward({ value, timestamp: timestamp * sixHours })
      })
      .groupByKey()
      .windowedBy(calendar('day', { zone: 'Europe/Berlin', grace: grace * sixHours }))
    const logs = days.aggregate('windows', log)
    logs.late().to(LATE_OUT)
    out(logs.toStream())
  },
  sketched: (builder, { size, grace }) => {
    const grouped = items(builder).groupByKey()
    const n = ({ n }: Item) => n
    grouped.aggregate('variances', variance(n)).toStream().to(STREAM_OUT)
    grouped
      .aggregate('quantiles', approxQuantiles(n, { low: 0.1, high: 0.9 }))
      .toStream()
      .to(STREAM_OUT)
    grouped
      .aggregate(
        'groups',
        approxDistinctCount(({ n, group }) => `${group}${n}`, { error: 0.4 }),
      )
      .toStream()
      .to(STREAM_OUT)
    grouped
      .aggregate(
        'tops',
        topK(2, n, ({ group }) => group),
      )
      .toStream()
      .to(STREAM_OUT)
    const windows = grouped.windowedBy(session(size * 2, { grace }))
    out(windows.aggregate('collected', collect(3, n, { whenFull: 'keep-last' })).toStream())
    out(windows.aggregate('lasts', last(n)).toStream())
  },
} satisfies Readonly<Record<string, Shape>>
