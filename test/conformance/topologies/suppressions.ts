import {
  hopping,
  type JobBuilder,
  session,
  type TimeWindows,
  tumbling,
  untilTimeLimit,
  untilWindowCloses,
} from 'tidemark'
import { colored, int, ints, out, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const RETENTION = '30d'

const counted = ({ stream }: JobBuilder, windows: TimeWindows) =>
  stream(ints).groupByKey().windowedBy(windows).count('counts')

function finalCounts(windows: TimeWindows) {
  return (builder: JobBuilder) => {
    counted(builder, windows).suppress('final', untilWindowCloses()).toStream().to(out)
  }
}

function limited(limit: Parameters<typeof untilTimeLimit>[0], options?: Parameters<typeof untilTimeLimit>[1]) {
  return ({ table }: JobBuilder) => {
    table(ints, 'table').suppress('quiet', untilTimeLimit(limit, options)).toStream().to(out)
  }
}

export const suppressions: TopologySet = {
  'suppress-window-close-tumbling': finalCounts(tumbling('1m', { grace: '30s', retention: RETENTION })),
  'suppress-window-close-hopping': finalCounts(hopping('5m', { advance: '1m', retention: RETENTION })),
  'suppress-window-close-session': ({ stream }) => {
    stream(ints)
      .groupByKey()
      .windowedBy(session('1m', { grace: '30s', retention: RETENTION }))
      .count('counts')
      .suppress('final', untilWindowCloses())
      .toStream()
      .to(out)
  },
  'suppress-time-limit-table': limited('1m'),
  'suppress-time-limit-zero': limited(0),
  'suppress-max-records': limited('5m', { maxRecords: 2 }),
  'suppress-time-limit-windowed': (builder) => {
    counted(builder, tumbling('1m', { grace: '1m', retention: RETENTION }))
      .suppress('quiet', untilTimeLimit('90s'))
      .toStream()
      .to(out)
  },
  'suppress-group-by': ({ table }) => {
    table(colored, 'table')
      .suppress('quiet', untilTimeLimit('1m'))
      .groupBy((v) => [v.color, v.n], text)
      .reduce(
        'sums',
        (aggregate, v) => aggregate + v,
        (aggregate, v) => aggregate - v,
        int,
      )
      .toStream()
      .to(out)
  },
}
