import { type JobBuilder, json, session, sliding, tumbling } from 'tidemark'
import { left, n, out, right, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const RETENTION = '30d'

const add = (log: string, entry: string) => (log === '' ? entry : `${log},${entry}`)

/** Values of the left topic as they are, those of the right one with an `r`. */
const logged = ({ stream }: JobBuilder) =>
  stream(left)
    .groupByKey()
    .cogroup((log: string, v) => add(log, `${v}`))
    .cogroup(stream(right).groupByKey(), (log, v) => add(log, `r${v}`))

const log = { init: () => '', serde: text }

export const cogroups: TopologySet = {
  cogroup: ({ stream }) => {
    stream(left)
      .groupByKey()
      .cogroup(({ l, r }: { l: number; r: number }, v) => ({ l: l + n(v), r }))
      .cogroup(stream(right).groupByKey(), ({ l, r }, v) => ({ l, r: r + n(v) }))
      .aggregate('aggs', { init: () => ({ l: 0, r: 0 }), serde: json<{ l: number; r: number }>() })
      .toStream()
      .to(out)
  },
  'cogroup-tumbling': (builder) => {
    logged(builder)
      .windowedBy(tumbling('1m', { grace: '1m', retention: RETENTION }))
      .aggregate('logs', log)
      .toStream()
      .to(out)
  },
  'cogroup-sliding': (builder) => {
    logged(builder)
      .windowedBy(sliding('1m', { grace: '1m', retention: RETENTION }))
      .aggregate('logs', log)
      .toStream()
      .to(out)
  },
  'cogroup-session': (builder) => {
    logged(builder)
      .windowedBy(session('1m', { grace: '1m', retention: RETENTION }))
      .aggregate('logs', { ...log, merge: (one, two) => (one === '' ? two : `${one}|${two}`) })
      .toStream()
      .to(out)
  },
}
