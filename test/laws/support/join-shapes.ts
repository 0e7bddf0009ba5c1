import { type JobBuilder, joinWindows, json, keyValueStore, string } from 'tidemark'
import type { JobSpec } from './random-case.ts'
import { INPUT, type Item, STREAM_OUT, TABLE, TABLE_OUT } from './topics.ts'

type Shape = (builder: JobBuilder, spec: JobSpec) => void

const items = ({ stream }: JobBuilder) => stream(INPUT).filter((value) => value !== null)

/** A key of the table, or none. */
const rowOf = ({ n, group }: Item) => (n === 5 ? null : (['a', 'b', 'c', 'é'][(n + group.length + 5) % 4] ?? null))

/** Joins of every kind. */
export const JOIN_SHAPES = {
  'streams-joined': (builder, { size, advance, grace }) => {
    const windows = joinWindows({ before: size * 4, after: advance * 4 }, { grace: grace * 3 })
    const even = items(builder).filter((item) => item.n % 2 === 0)
    items(builder)
      .filter((item) => item.n % 2 !== 0)
      .outerJoin(even, (one, other) => ({ one, other }), windows, 'pairs')
      .to(STREAM_OUT)
  },
  'groups-joined': (builder, { size, advance, grace }) => {
    const windows = joinWindows({ before: size * 4, after: advance * 4 }, { grace: grace * 3 })
    const byGroup = items(builder).selectKey((item) => (item.n === 5 ? null : item.group), string())
    byGroup
      .leftJoin(items(builder).selectKey(rowOf, string()), (one, other) => ({ one, other }), windows, 'pairs')
      .to(STREAM_OUT)
  },
  'tables-joined': (builder) => {
    const counts = builder.stream(INPUT).groupByKey().count('counts')
    const joined = builder
      .table(TABLE, 'rows')
      .filter((row) => row > 1)
      .outerJoin(counts, (row, count) => 100 * (row ?? 0) + (count ?? 0), 'joined', json<number>())
    joined.to(TABLE_OUT)
    joined.toStream().to(STREAM_OUT)
    joined
      .groupBy((value, key) => [value % 2 === 0 ? 'even' : 'odd', key], string())
      .count('parities')
      .toStream()
      .to(STREAM_OUT)
  },
  'foreign-keys': (builder) => {
    const joined = items(builder)
      .toTable('items')
      .leftJoin(builder.table(TABLE, 'rows'), rowOf, (item, row) => 100 * item.n + (row ?? 0), 'joined', {
        result: json<number>(),
      })
    joined.to(TABLE_OUT)
    joined.toStream().to(STREAM_OUT)
    joined
      .groupBy((value, key) => [value > 0 ? 'above' : 'below', key], string())
      .count('signs')
      .toStream()
      .to(STREAM_OUT)
  },
  transformed: (builder, { size }) => {
    const stores = { best: keyValueStore(string(), json<number>()) }
    const best = builder
      .table(TABLE, 'rows')
      .transformValues('transformed', { value: json<number>(), stores }, ({ stores: { best }, streamTime }) => {
        return (row, key) => {
          const least = Math.min(row ?? 0, best.get(key) ?? size)
          best.put(key, row === 3 ? null : least)
          return row === null ? null : least + (streamTime() % size)
        }
      })
    best.to(TABLE_OUT)
    best.toStream().to(STREAM_OUT)
    best.groupBy((row, key) => [row > 2 ? 'above' : 'below', key], string()).count('sides')
  },
  'as-of': (builder, { size, grace }) => {
    const rows = builder.table(TABLE, 'rows', { historyRetention: size * 6 + grace })
    items(builder)
      .leftJoin(rows, (item, row) => ({ ...item, row }), 'waiting', { grace: grace * 2 })
      .to(STREAM_OUT)
    rows
      .groupBy((row) => [row % 2 === 0 ? 'even' : 'odd', row], string())
      .count('parities')
      .to(TABLE_OUT)
  },
  global: (builder) => {
    items(builder)
      .leftJoin(builder.globalTable(TABLE), rowOf, (item, row) => ({ ...item, row }))
      .to(STREAM_OUT)
  },
} satisfies Record<string, Shape>
