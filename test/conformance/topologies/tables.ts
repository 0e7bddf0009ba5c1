import { json } from 'tidemark'
import { colored, int, ints, names, out, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

interface Seen {
  readonly count: number
  readonly sum: number
  readonly last: number | null
}

const plus = (aggregate: number, v: number) => aggregate + v

export const tables: TopologySet = {
  'group-by-key-count': ({ stream }) => {
    stream(ints).groupByKey().count('counts').toStream().to(out)
  },
  'group-by-key-reduce': ({ stream }) => {
    stream(ints).groupByKey().reduce('sums', plus).toStream().to(out)
  },
  'group-by-key-reduce-null': ({ stream }) => {
    stream(ints)
      .groupByKey()
      .reduce('sums', (aggregate, v) => (v % 5 === 0 ? null : aggregate + v))
      .toStream()
      .to(out)
  },
  'group-by-key-aggregate': ({ stream }) => {
    stream(ints)
      .groupByKey()
      .aggregate('aggs', {
        init: (): Seen => ({ count: 0, sum: 0, last: null }),
        add: ({ count, sum }, v): Seen => ({ count: count + 1, sum: sum + v, last: v }),
        serde: json<Seen>(),
      })
      .toStream()
      .to(out)
  },
  'group-by-key-aggregate-null': ({ stream }) => {
    stream(ints)
      .groupByKey()
      .aggregate('aggs', {
        init: () => 100,
        add: (aggregate: number, v): number | null => (v % 5 === 0 ? null : aggregate + v),
        serde: int,
      })
      .toStream()
      .to(out)
  },
  'group-by-count': ({ stream }) => {
    stream(colored)
      .groupBy((v, k) => (v === null ? k : v.color), text)
      .count('counts')
      .toStream()
      .to(out)
  },
  'group-by-reduce': ({ stream }) => {
    stream(colored)
      .groupBy((v, k) => (v === null ? k : v.color), text)
      .reduce('sums', (aggregate, v) => ({ color: v.color, n: aggregate.n + v.n }))
      .toStream()
      .to(out)
  },
  'to-table': ({ stream }) => {
    stream(ints).toTable('table').toStream().to(out)
  },
  'to-table-rekeyed': ({ stream }) => {
    stream(colored)
      .selectKey((v, k) => (v === null ? k : v.color), text)
      .toTable('table')
      .toStream()
      .to(out)
  },
  'table-to-stream': ({ table }) => {
    table(ints).toStream().to(out)
  },
  'table-to-stream-rekeyed': ({ table }) => {
    table(ints, 'table')
      .toStream((v, k) => k + (v === null ? '-gone' : '-here'))
      .to(out)
  },
  'table-source-tombstones': ({ table }) => {
    table(ints, 'table').toStream().to(out)
  },
  'table-filter': ({ table }) => {
    table(ints)
      .filter((v) => v % 2 === 0)
      .toStream()
      .to(out)
  },
  'table-filter-materialized-source': ({ table }) => {
    table(ints, 'table')
      .filter((v) => v % 2 === 0)
      .toStream()
      .to(out)
  },
  'table-filter-materialized': ({ table }) => {
    table(ints)
      .filter((v) => v % 2 === 0, 'evens')
      .toStream()
      .to(out)
  },
  'table-filter-not-materialized': ({ table }) => {
    table(ints, 'table')
      .filterNot((v) => v > 8, 'small')
      .toStream()
      .to(out)
  },
  'table-map-values': ({ table }) => {
    table(ints)
      .mapValues((v) => v * 10)
      .toStream()
      .to(out)
  },
  'table-map-values-materialized': ({ table }) => {
    table(ints)
      .mapValues((v, k) => (v < 0 ? null : { k, v }), 'mapped', json<{ k: string; v: number }>())
      .toStream()
      .to(out)
  },
  'table-map-filter-chain': ({ table }) => {
    table(ints, 'table')
      .mapValues((v) => v * 10)
      .filter((v) => v > 50)
      .toStream()
      .to(out)
  },
  'table-aggregate-filter': ({ stream }) => {
    stream(ints)
      .groupByKey()
      .count('counts')
      .filter((v) => v % 3 !== 0)
      .toStream()
      .to(out)
  },
  'purchases-append': ({ stream }) => {
    stream(ints).groupByKey().reduce('purchases', plus).toStream().to(out)
  },
  'employment-replace': ({ table }) => {
    table(names, 'employment').toStream().to(out)
  },
  'employment-headcount': ({ table }) => {
    table(names)
      .groupBy((v, k) => [v, k], text)
      .count('headcount')
      .toStream()
      .to(out)
  },
}
