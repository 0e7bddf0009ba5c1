import type { Topic } from 'tidemark'
import { anyTopic, colored, ints, out, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const nowhere = anyTopic('out-null')
const byMinute = (kind: string): readonly [Topic<unknown, unknown>, Topic<unknown, unknown>] => [
  anyTopic(`out-${kind}-0`),
  anyTopic(`out-${kind}-1`),
]
const even = byMinute('even')
const odd = byMinute('odd')

export const routed: TopologySet = {
  'split-branch': ({ stream }) => {
    const branches = stream(ints)
      .split()
      .branch('null', (v): v is null => v === null)
      .branch('neg', (v) => v < 0)
      .branch('even', (v) => v % 2 === 0)
      .defaultBranch('other')
    branches.null.to(anyTopic('out-null'))
    branches.neg.to(anyTopic('out-neg'))
    branches.even.to(anyTopic('out-even'))
    branches.other.to(anyTopic('out-other'))
  },
  'split-no-default': ({ stream }) => {
    const { high, mid } = stream(ints)
      .split()
      .branch('high', (v) => v !== null && v > 10)
      .branch('mid', (v) => v !== null && v > 5)
      .noDefaultBranch()
    high.to(anyTopic('out-high'))
    mid.to(anyTopic('out-mid'))
  },
  repartition: ({ stream }) => {
    stream(colored)
      .selectKey((v) => v?.color ?? null, text)
      .repartition('by-color')
      .mapValues((v, k) => ({ k, v }))
      .to(out)
  },
  'to-topic-extractor': ({ stream }) => {
    stream(ints).to([nowhere, ...even, ...odd], (v, _key, { timestamp }) => {
      if (v === null) return nowhere
      const topics = v % 2 === 0 ? even : odd
      return topics[Math.floor(timestamp / 60_000) % 2 === 0 ? 0 : 1]
    })
  },
}
