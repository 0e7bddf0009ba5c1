import { anyTopic, ints, left, n, out, right, text, vectorTopic } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const mid = vectorTopic<number>('mid')

export const stateless: TopologySet = {
  filter: ({ stream }) => {
    stream(ints)
      .filter((v) => v !== null && v % 2 === 0)
      .to(out)
  },
  'filter-not': ({ stream }) => {
    stream(ints)
      .filterNot((v) => v === null || v < 5)
      .to(out)
  },
  map: ({ stream }) => {
    stream(ints)
      .map((v, k) => [k === null ? 'none' : `${k}!`, { k, v }])
      .to(out)
  },
  'map-values': ({ stream }) => {
    stream(ints)
      .mapValues((v) => (v === null ? -1 : v * 2))
      .to(out)
  },
  'map-values-with-key': ({ stream }) => {
    stream(ints)
      .mapValues((v, k) => (v === null ? null : { k, v }))
      .to(out)
  },
  'flat-map': ({ stream }) => {
    stream(ints)
      .flatMap(function* (v, k) {
        for (let i = 0; i < Math.abs(n(v)) % 4; i++) yield [(k === null ? 'none' : k) + i, n(v) * 10 + i] as const
      })
      .to(out)
  },
  'flat-map-values': ({ stream }) => {
    stream(ints)
      .flatMapValues((v) => (v === null ? [] : v % 2 === 0 ? [v, -v] : [v]))
      .to(out)
  },
  'select-key': ({ stream }) => {
    stream(ints)
      .selectKey((v) => (v === null ? null : v < 0 ? 'neg' : 'pos'), text)
      .to(out)
  },
  merge: ({ stream }) => {
    stream(left).merge(stream(right)).to(out)
  },
  'fan-out': ({ stream }) => {
    const s = stream(ints)
    s.filter((v) => v !== null).to(anyTopic('out-a'))
    s.flatMapValues((v) => (v === null ? [] : [v, v + 1]))
      .filter((v) => v % 3 !== 0)
      .to(anyTopic('out-b'))
    s.selectKey(() => 'all').to(anyTopic('out-c'))
  },
  'peek-through': ({ stream }) => {
    stream(ints)
      .peek(() => {})
      .mapValues((v) => (v === null ? null : v + 1))
      .to(mid)
    stream(mid)
      .peek(() => {})
      .filter((v) => v === null || v > 3)
      .to(out)
  },
}
