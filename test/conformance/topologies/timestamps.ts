import { type JobBuilder, json, topic } from 'tidemark'
import { anyTopic, out } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

interface Timed {
  readonly ts?: number | string
  readonly n: number
}

type Policy = 'fail' | 'skip' | 'partition-time'

const outCounts = anyTopic('out-counts')

function timed(onInvalidTimestamp: Policy) {
  const input = topic('in', {
    key: json<string>(),
    value: json<Timed>(),
    nullKey: true,
    nullValue: true,
    timestamp: ({ value }) => (typeof value?.ts === 'number' ? value.ts : -1),
    onInvalidTimestamp,
  })
  return ({ stream }: JobBuilder) => {
    const s = stream(input)
    s.to(out)
    s.groupByKey().count('counts').toStream().to(outCounts)
  }
}

export const timestamps: TopologySet = {
  'timestamp-fail': timed('fail'),
  'timestamp-log-and-skip': timed('skip'),
  'timestamp-use-partition-time': timed('partition-time'),
  'timestamp-negative-skipped': timed('skip'),
}
