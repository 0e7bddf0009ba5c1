import { type JobBuilder, type SlidingWindows, sliding } from 'tidemark'
import { int, ints, out, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const RETENTION = '30d'
const minute = (grace: string) => sliding('1m', { grace, retention: RETENTION })
const by = ({ stream }: JobBuilder, windows: SlidingWindows) => stream(ints).groupByKey().windowedBy(windows)

function counted(windows: SlidingWindows, emit: 'on-update' | 'on-window-close') {
  return (builder: JobBuilder) => {
    by(builder, windows).count('counts', { emit }).toStream().to(out)
  }
}

export const slidingTopologies: TopologySet = {
  'sliding-count': counted(minute('0s'), 'on-update'),
  'emit-final-sliding': counted(minute('30s'), 'on-window-close'),
  'sliding-aggregate-grace': (builder) => {
    by(builder, minute('2m'))
      .aggregate('logs', {
        init: () => '',
        add: (log, v) => (log === '' ? `${v}` : `${log},${v}`),
        serde: text,
      })
      .toStream()
      .to(out)
  },
  'sliding-reduce-grace': (builder) => {
    by(builder, minute('30s'))
      .reduce('sums', (aggregate, v) => aggregate + v, int)
      .toStream()
      .to(out)
  },
}
