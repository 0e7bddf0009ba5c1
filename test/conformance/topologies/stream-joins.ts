import { type JobBuilder, type JoinWindows, joinWindows } from 'tidemark'
import { both } from './table-joins.ts'
import { ints, left, out, right, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

type Build = (builder: JobBuilder) => void

const WINDOWS: Readonly<Record<string, JoinWindows>> = {
  sym: joinWindows('60s'),
  asym: joinWindows({ before: '30s', after: '120s' }),
  grace: joinWindows('60s', { grace: '90s' }),
}

const inner =
  (windows: JoinWindows): Build =>
  ({ stream }) => {
    stream(left).join(stream(right), both, windows, 'pairs').to(out)
  }

const leftJoined =
  (windows: JoinWindows): Build =>
  ({ stream }) => {
    stream(left).leftJoin(stream(right), both, windows, 'pairs').to(out)
  }

const outer =
  (windows: JoinWindows): Build =>
  ({ stream }) => {
    stream(left).outerJoin(stream(right), both, windows, 'pairs').to(out)
  }

export const streamJoins: TopologySet = {
  ...Object.fromEntries(
    Object.entries(WINDOWS).flatMap(([name, windows]): [string, Build][] => [
      [`stream-stream-inner-${name}`, inner(windows)],
      [`stream-stream-left-${name}`, leftJoined(windows)],
      [`stream-stream-outer-${name}`, outer(windows)],
    ]),
  ),
  'stream-stream-outer-after-only': outer(joinWindows({ before: 0, after: '60s' }, { grace: '20s' })),
  'stream-stream-self': ({ stream }) => {
    const s = stream(ints)
    s.join(s, both, joinWindows('30s'), 'pairs').to(out)
  },
  'stream-stream-join-group-count': ({ stream }) => {
    stream(left)
      .join(stream(right), both, joinWindows('60s'), 'pairs')
      .groupBy((v, k) => k + (v.l > v.r ? '-more' : '-less'), text)
      .count('counts')
      .toStream()
      .to(out)
  },
}
