import { json } from 'tidemark'
import { both } from './table-joins.ts'
import { int, type Linked, linked, out, right, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const fk = (v: Linked) => v.fk

interface Joined<R> {
  readonly l: Linked
  readonly r: R
}

const options = { historyRetention: '10m' } as const

export const foreignKeyJoins: TopologySet = {
  'fk-join-inner': ({ table }) => {
    table(linked).join(table(right), fk, both, 'joined').toStream().to(out)
  },
  'fk-join-left': ({ table }) => {
    table(linked).leftJoin(table(right), fk, both, 'joined').toStream().to(out)
  },
  'fk-join-inner-materialized': ({ table }) => {
    table(linked, 'lefts')
      .join(table(right, 'rights'), fk, both, 'joined', { result: json<Joined<number>>() })
      .toStream()
      .to(out)
  },
  'fk-join-left-materialized': ({ table }) => {
    table(linked, 'lefts')
      .leftJoin(table(right, 'rights'), fk, both, 'joined', { result: json<Joined<number | null>>() })
      .toStream()
      .to(out)
  },
  'fk-join-group-by': ({ table }) => {
    table(linked)
      .join(table(right), fk, both, 'joined', { result: json<Joined<number>>() })
      .groupBy((v) => [v.l.fk, v.l.n], text)
      .reduce(
        'sums',
        (aggregate, v) => aggregate + v,
        (aggregate, v) => aggregate - v,
        int,
      )
      .toStream()
      .to(out)
  },
  'fk-join-versioned-left': ({ table }) => {
    table(linked, 'lefts', options)
      .leftJoin(table(right, 'rights', options), fk, both, 'joined')
      .toStream()
      .to(out)
  },
}
