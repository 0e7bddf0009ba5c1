import { type JobBuilder, json } from 'tidemark'
import { both } from './table-joins.ts'
import { int, ints, left, linked, out, right, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const rekeyed = ({ stream }: JobBuilder) => stream(linked).selectKey((v) => v?.fk ?? null, text)

export const joins: TopologySet = {
  'stream-table-inner': ({ stream, table }) => {
    stream(left).join(table(right, 'table'), both).to(out)
  },
  'stream-table-left': ({ stream, table }) => {
    stream(left).leftJoin(table(right, 'table'), both).to(out)
  },
  'stream-table-rekeyed-inner': (builder) => {
    rekeyed(builder).join(builder.table(right, 'table'), both).to(out)
  },
  'stream-table-rekeyed-left': (builder) => {
    rekeyed(builder).leftJoin(builder.table(right, 'table'), both).to(out)
  },
  'stream-table-aggregated': ({ stream }) => {
    const sums = stream(right)
      .groupByKey()
      .aggregate('sums', { init: () => 0, add: (aggregate, v) => aggregate + v, serde: int })
      .filter((v) => v % 2 === 0)
    stream(left).leftJoin(sums, both).to(out)
  },
  'stream-table-same-topic': ({ stream }) => {
    const sums = stream(ints)
      .groupByKey()
      .reduce('sums', (aggregate, v) => aggregate + v)
    sums.toStream().join(sums, both).to(out)
  },
  'stream-globaltable-inner': ({ stream, globalTable }) => {
    stream(linked)
      .join(globalTable(right, 'global'), (v) => v.fk, both)
      .to(out)
  },
  'stream-globaltable-left': ({ stream, globalTable }) => {
    stream(linked)
      .leftJoin(globalTable(right, 'global'), (v) => v.fk, both)
      .to(out)
  },
  'stream-table-join-group-aggregate': (builder) => {
    rekeyed(builder)
      .join(builder.table(right, 'table'), both)
      .groupBy((v) => (v.r % 2 === 0 ? 'even' : 'odd'), text)
      .aggregate('aggs', {
        init: () => ({ count: 0, n: 0 }),
        add: (aggregate, v) => ({ count: aggregate.count + 1, n: aggregate.n + v.l.n }),
        serde: json<{ count: number; n: number }>(),
      })
      .toStream()
      .to(out)
  },
}
