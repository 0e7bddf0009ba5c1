import { hopping, type JobBuilder, json, tumbling } from 'tidemark'
import { colored, int, ints, n, out, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

/** Nothing expires in the vectors, but where it is said: then the least retention that size and grace allow. */
const RETENTION = '30d'

const sum = { init: () => 0, add: (aggregate: number, v: number | null) => aggregate + n(v), serde: int }

type Windows = ReturnType<typeof tumbling>

const by = ({ stream }: JobBuilder, windows: Windows) => stream(ints).groupByKey().windowedBy(windows)

function counted(windows: Windows, emit: 'on-update' | 'on-window-close' = 'on-update') {
  return (builder: JobBuilder) => {
    by(builder, windows).count('counts', { emit }).toStream().to(out)
  }
}

function summed(windows: Windows, emit: 'on-update' | 'on-window-close' = 'on-update') {
  return (builder: JobBuilder) => {
    by(builder, windows).aggregate('sums', sum, { emit }).toStream().to(out)
  }
}

function averaged(windows: Windows) {
  return (builder: JobBuilder) => {
    by(builder, windows)
      .aggregate('aggs', {
        init: () => ({ count: 0, sum: 0 }),
        add: (aggregate, v) => (v === null ? aggregate : { count: aggregate.count + 1, sum: aggregate.sum + v }),
        serde: json<{ count: number; sum: number }>(),
      })
      .mapValues((aggregate) => (aggregate.count === 0 ? null : aggregate.sum / aggregate.count))
      .toStream()
      .to(out)
  }
}

const minute = (grace: string) => tumbling('1m', { grace, retention: RETENTION })
const fiveMinutes = (grace: string) => tumbling('5m', { grace, retention: RETENTION })
const hops = (grace: string) => hopping('5m', { advance: '1m', grace, retention: RETENTION })

export const windows: TopologySet = {
  'tumbling-count-5m-grace-0': counted(tumbling('5m', { retention: '5m' })),
  'tumbling-count-5m-grace-1m': counted(fiveMinutes('1m')),
  'tumbling-count-5m-grace-24h': counted(fiveMinutes('24h')),
  'tumbling-sum-5m-grace-0': summed(fiveMinutes('0s')),
  'tumbling-sum-5m-grace-1m': summed(fiveMinutes('1m')),
  'tumbling-average-5m-grace-0': averaged(fiveMinutes('0s')),
  'tumbling-average-5m-grace-24h': averaged(fiveMinutes('24h')),
  'tumbling-reduce-null': (builder) => {
    by(builder, minute('1m'))
      .reduce('sums', (aggregate, v) => (v === null ? null : aggregate + v))
      .toStream()
      .to(out)
  },
  'tumbling-group-by-count': ({ stream }) => {
    stream(colored)
      .groupBy((v, k) => (v === null ? k : v.color), text)
      .windowedBy(fiveMinutes('1m'))
      .count('counts')
      .toStream()
      .to(out)
  },
  'hopping-count-5m-by-1m': counted(hops('0s')),
  'hopping-sum-5m-by-1m-grace-2m': summed(hopping('5m', { advance: '1m', grace: '2m', retention: '7m' })),
  'emit-final-tumbling': counted(minute('30s'), 'on-window-close'),
  'emit-final-hopping': summed(hops('1m'), 'on-window-close'),
  'windowed-count-filter': (builder) => {
    by(builder, minute('2m'))
      .count('counts')
      .filter((v) => v > 1)
      .toStream()
      .to(out)
  },
  'windowed-count-group-by': (builder) => {
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
