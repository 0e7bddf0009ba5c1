import { type JobBuilder, json } from 'tidemark'
import { colored, int, ints, out, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

interface CountSum {
  readonly count: number
  readonly sum: number
}

const byColor = ({ table }: JobBuilder) => table(colored).groupBy((v) => [v.color, v.n], text)
const changed = ({ count, sum }: CountSum, v: number, by: 1 | -1): CountSum => ({
  count: count + by,
  sum: sum + by * v,
})
const tail = (log: string) => log.slice(Math.max(0, log.length - 12))

export const regrouped: TopologySet = {
  'table-group-by-count': (builder) => {
    byColor(builder).count('counts').toStream().to(out)
  },
  'table-group-by-reduce': (builder) => {
    byColor(builder)
      .reduce(
        'sums',
        (aggregate, v) => aggregate + v,
        (aggregate, v) => aggregate - v,
        int,
      )
      .toStream()
      .to(out)
  },
  'table-group-by-aggregate': (builder) => {
    byColor(builder)
      .aggregate('aggs', {
        init: () => ({ count: 0, sum: 0 }),
        add: (aggregate, v) => changed(aggregate, v, 1),
        undo: (aggregate, v) => changed(aggregate, v, -1),
        serde: json<CountSum>(),
      })
      .toStream()
      .to(out)
  },
  'table-group-by-aggregate-log': (builder) => {
    byColor(builder)
      .aggregate('logs', {
        init: () => '',
        add: (aggregate, v) => tail(`${aggregate}+${v}`),
        undo: (aggregate, v) => tail(`${aggregate}-${v}`),
        serde: text,
      })
      .toStream()
      .to(out)
  },
  'table-group-by-aggregate-null': (builder) => {
    byColor(builder)
      .aggregate('aggs', {
        init: () => ({ count: 0, sum: 0 }),
        add: (aggregate, v): CountSum | null => changed(aggregate, v, 1),
        undo: (aggregate, v): CountSum | null => (aggregate.count === 1 ? null : changed(aggregate, v, -1)),
        serde: json<CountSum>(),
      })
      .toStream()
      .to(out)
  },
  'table-filter-group-by-count': ({ table }) => {
    table(colored)
      .filter((v) => v.n > 3)
      .groupBy((v) => [v.color, v], text)
      .count('counts')
      .toStream()
      .to(out)
  },
  'table-count-histogram': ({ stream }) => {
    stream(ints)
      .groupByKey()
      .count('counts')
      .groupBy((c, k) => [`bucket${Math.floor(c / 3)}`, k], text)
      .count('histogram')
      .toStream()
      .to(out)
  },
}
