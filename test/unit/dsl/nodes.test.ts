import { json, sum, string as text, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { nodesOf, numbers, others, out } from './topics.ts'

const last = (build: Parameters<typeof nodesOf>[0]) => nodesOf(build).at(-1)
const odd = (value: number) => value % 2 === 1
const string = text()
const plus = (one: number, two: number) => one + two
const minus = (one: number, two: number) => one - two
const either = (one: number, two: number | null) => two ?? one

describe('a step becomes a node', () => {
  it.each([
    ['filter', ({ stream }) => stream(numbers).filter(odd), { kind: 'filter', predicate: odd, negate: false }],
    ['filterNot', ({ stream }) => stream(numbers).filterNot(odd), { kind: 'filter', predicate: odd, negate: true }],
    ['table filter', ({ table }) => table(numbers).filter(odd), { kind: 'table-filter', negate: false, store: null }],
    [
      'table filter with a store',
      ({ table }) => table(numbers).filterNot(odd, 'even'),
      { kind: 'table-filter', name: 'even', negate: true, store: { name: 'even', key: string, value: numbers.value } },
    ],
    [
      'table mapValues with a store',
      ({ table }) => table(numbers).mapValues(String, 'texts', string),
      { kind: 'table-map-values', name: 'texts', mapper: String, store: { name: 'texts', value: string } },
    ],
    [
      'toTable',
      ({ stream }) => stream(numbers).toTable('table'),
      { kind: 'to-table', name: 'table', store: { name: 'table', key: string, value: numbers.value } },
    ],
    [
      'reduce',
      ({ stream }) => stream(numbers).groupByKey().reduce('sums', plus),
      { kind: 'aggregate', name: 'sums', aggregate: { format: 'reduce@1', add: plus, serde: numbers.value } },
    ],
    [
      'count',
      ({ stream }) => stream(numbers).groupByKey().count('counts'),
      { kind: 'aggregate', aggregate: { format: 'count@1', readsValue: false } },
    ],
    [
      'aggregate',
      ({ stream }) =>
        stream(numbers)
          .groupByKey()
          .aggregate('own', { init: () => 1, add: () => 2, serde: json<number>() }),
      { kind: 'aggregate', aggregate: { format: 'custom@1' } },
    ],
    [
      'windowed count',
      ({ stream }) =>
        stream(numbers)
          .groupByKey()
          .windowedBy(tumbling('1m', { grace: '2m' }))
          .count('counts', { emit: 'on-window-close', retention: '3m' }),
      {
        kind: 'windowed-aggregate',
        emit: 'on-window-close',
        windows: { kind: 'time', sizeMs: 60_000, advanceMs: 60_000, graceMs: 120_000, retentionMs: 180_000 },
        store: { name: 'counts', retentionMs: 180_000 },
      },
    ],
    [
      'windowed reduce with serde and options',
      ({ stream }) =>
        stream(numbers)
          .mapValues((value) => value)
          .groupByKey()
          .windowedBy(tumbling('1m'))
          .reduce('sums', plus, json<number>(), { emit: 'on-window-close' }),
      { kind: 'windowed-aggregate', emit: 'on-window-close', store: { value: json(), retentionMs: 86_400_000 } },
    ],
    [
      'late',
      ({ stream }) => stream(numbers).groupByKey().windowedBy(tumbling('1m')).count('counts').late(),
      { kind: 'late', mapper: null, name: 'counts:late' },
    ],
    [
      'table reduce',
      ({ table }) =>
        table(numbers)
          .groupBy((value, key) => [key, value], string)
          .reduce('sums', plus, minus, json<number>()),
      { kind: 'table-aggregate', aggregate: { format: 'reduce@1', add: plus, undo: minus } },
    ],
    ['table sink', ({ table }) => table(numbers).to(out), { kind: 'table-sink', topic: out, owner: false }],
    ['owned sink', ({ table }) => table(numbers).to(out, { owner: true }), { kind: 'table-sink', owner: true }],
    ['stream sink', ({ stream }) => stream(numbers).to(out), { kind: 'stream-sink', topic: out, name: 'out:sink' }],
    ['toStream', ({ table }) => table(numbers).toStream(), { kind: 'to-stream', mapper: null }],
  ] satisfies [string, Parameters<typeof nodesOf>[0], object][])('%s', (_, build, expected) => {
    expect(last(build)).toMatchObject(expected)
  })

  it('joins name the stream first, then the table', () => {
    const nodes = nodesOf(({ stream, table }) => stream(numbers).leftJoin(table(others), either))
    expect(nodes).toMatchObject([
      { id: 0, kind: 'stream-source' },
      { id: 1, kind: 'table-source', store: { name: 'others', key: string, value: others.value } },
      { id: 2, kind: 'stream-table-join', parents: [0, 1], left: true, joiner: either, key: string },
    ])
  })

  it('knows the serde of a ready aggregate in what follows', () => {
    const nodes = nodesOf(({ stream }) => {
      stream(numbers).groupByKey().aggregate('sums', sum(Number)).toStream().toTable('again')
    })
    expect(nodes.at(-1)).toMatchObject({ kind: 'to-table', store: { value: { format: 'json' } } })
  })
})
