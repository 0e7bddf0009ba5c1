import { json, tumbling } from 'tidemark'
import { int, ints, left, out, right, text, third } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

export const both = <L, R>(l: L, r: R) => ({ l, r })

interface Both {
  readonly l: number | null
  readonly r: number | null
}

const windowed = tumbling('1m', { grace: '2m', retention: '30d' })

export const tableJoins: TopologySet = {
  'table-table-inner': ({ table }) => {
    table(left).join(table(right), both).toStream().to(out)
  },
  'table-table-left': ({ table }) => {
    table(left).leftJoin(table(right), both).toStream().to(out)
  },
  'table-table-outer': ({ table }) => {
    table(left).outerJoin(table(right), both).toStream().to(out)
  },
  'table-table-inner-materialized': ({ table }) => {
    table(left).join(table(right), both, 'joined', json<{ l: number; r: number }>()).toStream().to(out)
  },
  'table-table-left-materialized': ({ table }) => {
    table(left).leftJoin(table(right), both, 'joined', json<{ l: number; r: number | null }>()).toStream().to(out)
  },
  'table-table-outer-materialized': ({ table }) => {
    table(left).outerJoin(table(right), both, 'joined', json<Both>()).toStream().to(out)
  },
  'table-table-filtered-inner': ({ table }) => {
    table(left)
      .filter((v) => v > 3)
      .join(
        table(right).mapValues((v) => v * 10),
        both,
      )
      .toStream()
      .to(out)
  },
  'table-table-self-inner': ({ table }) => {
    const t = table(ints, 'table')
    t.join(
      t.filter((v) => v > 0),
      both,
    )
      .toStream()
      .to(out)
  },
  'table-table-three-way': ({ table }) => {
    table(left).outerJoin(table(right), both).leftJoin(table(third), both).toStream().to(out)
  },
  'table-table-join-group-by': ({ table }) => {
    table(left)
      .leftJoin(table(right), both)
      .groupBy((v) => [v.r === null ? 'alone' : 'paired', v.l], text)
      .reduce(
        'sums',
        (aggregate, v) => aggregate + v,
        (aggregate, v) => aggregate - v,
        int,
      )
      .toStream()
      .to(out)
  },
  'windowed-table-join-inner': ({ stream }) => {
    const counted = (topic: typeof left, name: string) => stream(topic).groupByKey().windowedBy(windowed).count(name)
    counted(left, 'left-counts').join(counted(right, 'right-counts'), both).toStream().to(out)
  },
  'windowed-table-join-left': ({ stream }) => {
    const counted = (topic: typeof left, name: string) => stream(topic).groupByKey().windowedBy(windowed).count(name)
    counted(left, 'left-counts').leftJoin(counted(right, 'right-counts'), both).toStream().to(out)
  },
  'windowed-table-join-outer': ({ stream }) => {
    const counted = (topic: typeof left, name: string) => stream(topic).groupByKey().windowedBy(windowed).count(name)
    counted(left, 'left-counts').outerJoin(counted(right, 'right-counts'), both).toStream().to(out)
  },
}
