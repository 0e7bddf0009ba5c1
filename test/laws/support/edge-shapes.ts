import {
  bytes,
  hopping,
  int64,
  json,
  serde,
  session,
  sessionWindowed,
  sliding,
  string,
  timeWindowed,
  topic,
} from 'tidemark'
import type { OperatorShape } from './operator-shape.ts'
import { INPUT, type Item, STREAM_OUT } from './topics.ts'

/** Items as texts of their own: `3x`. */
const ITEM = serde<Item>({
  format: 'law-item@1',
  encode: ({ n, group }) => Buffer.from(`${n}${group}`, 'utf8'),
  decode: (text) => {
    const whole = Buffer.from(text).toString('utf8')
    return { n: Number(whole.slice(0, -1)), group: whole.slice(-1) }
  },
})

const NUMBERED = topic('out-numbered', { key: int64(), value: bytes() })

/** Steps at the edges of a topology: windows in the keys of topics, serdes of every kind, and what is told to nobody. */
export const EDGE_SHAPES = {
  'windowed keys in topics': ({ stream }, { size, advance, grace }) => {
    const grouped = stream(INPUT)
      .filter((value) => value !== null)
      .groupByKey()
    const hops = grouped.windowedBy(hopping(size * 3, { advance: advance * 3, grace })).count('hops')
    hops.to(topic('out-hops', { key: timeWindowed(string(), size * 3), value: json<number>() }))
    const slides = grouped.windowedBy(sliding(size * 2, { grace })).count('slides')
    slides.toStream().to(topic('out-slides', { key: timeWindowed(string(), size * 2), value: json<number>() }))
    const sessions = grouped.windowedBy(session(size * 2, { grace })).count('sessions')
    const ofSessions = { key: sessionWindowed(string()), value: json<number>() }
    sessions.to(topic('out-sessions', ofSessions))
    sessions.toStream().to(topic('out-session-changes', { ...ofSessions, nullValue: true }))
  },
  'serdes of every kind': ({ stream }) => {
    const numbered = stream(INPUT)
      .filter((value) => value !== null)
      .selectKey(({ n }) => BigInt(n) * 2n ** 40n, int64())
      .repartition('by-number', { value: ITEM })
    numbered.mapValues(({ group }) => Buffer.from(group, 'utf8')).to(NUMBERED)
    numbered.toTable('latest')
    const byBytes = numbered.groupBy(({ group }) => new Uint8Array(Buffer.from(group, 'utf8')), bytes())
    byBytes
      .reduce('last', (_, item) => item)
      .toStream()
      .selectKey((_, group) => Buffer.from(group).toString('utf8'), string())
      .to(STREAM_OUT)
  },
  'told to nobody': ({ stream }) => {
    const items = stream(INPUT)
    items.foreach(() => {})
    items.print('items')
    items.groupByKey().count('counts').toStream().to(STREAM_OUT)
  },
} satisfies Readonly<Record<string, OperatorShape>>
