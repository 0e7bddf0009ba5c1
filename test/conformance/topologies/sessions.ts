import { type JobBuilder, type SessionWindows, session } from 'tidemark'
import { int, ints, n, out, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const RETENTION = '30d'
const minute = (grace: string) => session('1m', { grace, retention: RETENTION })
const by = ({ stream }: JobBuilder, windows: SessionWindows) => stream(ints).groupByKey().windowedBy(windows)

/** Keeps the order of adding and merging to be seen: `3,4,null|5`. */
const log = {
  init: () => '',
  add: (aggregate: string, v: number | null) => (aggregate === '' ? `${v}` : `${aggregate},${v}`),
  merge: (one: string, two: string) => (one === '' ? two : `${one}|${two}`),
  serde: text,
}

export const sessionTopologies: TopologySet = {
  'session-count': (builder) => {
    by(builder, minute('0s')).count('counts').toStream().to(out)
  },
  'session-aggregate-grace': (builder) => {
    by(builder, minute('2m')).aggregate('logs', log).toStream().to(out)
  },
  'session-reduce': (builder) => {
    by(builder, minute('1m'))
      .reduce('sums', (aggregate, v) => n(aggregate) + n(v))
      .toStream()
      .to(out)
  },
  'emit-final-session': (builder) => {
    by(builder, minute('30s')).aggregate('logs', log, { emit: 'on-window-close' }).toStream().to(out)
  },
  'session-count-group-by': (builder) => {
    by(builder, minute('2m'))
      .count('counts')
      .groupBy((v, k) => [k.key, v], text)
      .reduce(
        'totals',
        (aggregate, v) => aggregate + v,
        (aggregate, v) => aggregate - v,
        int,
      )
      .toStream()
      .to(out)
  },
}
