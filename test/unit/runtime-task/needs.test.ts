import { bytes, int64, type JobBuilder, job, json, mean, string, topic, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { needsOf, sourceNeeds } from '../../../src/runtime/input/needs.ts'
import { numbers, others, out } from './topics.ts'

const raw = topic('raw', { key: bytes(), value: bytes(), nullKey: true, nullValue: true })

const ids = topic('ids', { key: int64(), value: json<number>() })
// The types would not let a serde for text read numbers: it stands for any serde of another format.
const text = json<bigint>({ bigints: true })

function decoded(build: (builder: JobBuilder) => void): string {
  const [needs] = sourceNeeds(job('needs', {}, build).topology).values()
  return [needs?.key === true ? 'key' : '', needs?.value === true ? 'value' : ''].filter(Boolean).join(' ') || 'neither'
}

describe('what a source has to decode', () => {
  it.each([
    ['a copy to a topic of the same serdes', 'neither', ({ stream }) => stream(numbers).to(out)],
    ['a copy to a topic of other serdes', 'key value', ({ stream }) => stream(numbers).to(raw as never)],
    ['a count by key', 'neither', ({ stream }) => void stream(numbers).groupByKey().count('c')],
    [
      'a windowed count by key',
      'neither',
      ({ stream }) => void stream(numbers).groupByKey().windowedBy(tumbling(1)).count('c'),
    ],
    ['a count by key in another serde', 'key', ({ stream }) => void stream(ids).groupByKey(text).count('c')],
    [
      'a reduce',
      'key value',
      ({ stream }) =>
        void stream(numbers)
          .groupByKey()
          .reduce('r', (a, v) => a + v),
    ],
    [
      'a mean',
      'key value',
      ({ stream }) =>
        void stream(numbers)
          .groupByKey()
          .aggregate(
            'm',
            mean((v) => v),
          ),
    ],
    [
      'an aggregate without a look at the value, but at the key',
      'key',
      ({ stream }) =>
        void stream(numbers)
          .groupByKey()
          .aggregate('k', { init: () => '', add: (_a: string, _v, k) => k, serde: json<string>(), readsValue: false }),
    ],
    [
      'a filter',
      'key value',
      ({ stream }) =>
        stream(numbers)
          .filter(() => true)
          .to(out),
    ],
    [
      'a count behind a new key',
      'key value',
      ({ stream }) =>
        void stream(numbers)
          .groupBy((_, k) => k, string())
          .count('c'),
    ],
    ['a table that is not kept', 'neither', ({ table }) => table(numbers).to(out)],
    ['a table that is kept', 'value', ({ table }) => void table(numbers, 'kept')],
    [
      'the changes of a count, read with their key',
      'key',
      ({ stream }) =>
        stream(numbers)
          .groupByKey()
          .count('c')
          .mapValues((n) => n)
          .toStream()
          .to(out),
    ],
    [
      'late records of a windowed count, as they are',
      'neither',
      ({ stream }) => stream(numbers).groupByKey().windowedBy(tumbling(1)).count('c').late().to(out),
    ],
    [
      'late records of a windowed count, looked at',
      'key value',
      ({ stream }) =>
        stream(numbers)
          .groupByKey()
          .windowedBy(tumbling(1))
          .count('c')
          .late((v) => v)
          .to(out),
    ],
    [
      'windows that go to a topic',
      'key',
      ({ stream }) =>
        stream(numbers)
          .groupByKey()
          .windowedBy(tumbling(1))
          .count('c')
          .toStream()
          .to(topic('w', { key: json<unknown>(), value: json<number>() })),
    ],
    [
      'the stream of a join',
      'key value',
      ({ stream, table }) =>
        stream(numbers)
          .leftJoin(table(others), (l) => l)
          .to(out),
    ],
  ] as [string, string, (builder: JobBuilder) => void][])('%s: %s', (_name, needs, build) => {
    expect(decoded(build)).toBe(needs)
  })
})

describe('old values', () => {
  function sending(build: (builder: JobBuilder) => void): string[] {
    const { topology } = job('needs', {}, build)
    const { sendsOld } = needsOf(topology)
    return topology.nodes.filter(({ id }) => sendsOld[id]).map(({ kind }) => kind)
  }

  it.each([
    [
      'nobody asks',
      [],
      ({ table }) =>
        table(numbers, 'kept')
          .mapValues((v) => v)
          .toStream()
          .to(out),
    ],
    [
      'a filter over a source that is not kept',
      [],
      ({ table }) =>
        table(numbers)
          .filter(() => true)
          .toStream()
          .to(out),
    ],
    [
      'a kept filter over a source that is not',
      [],
      ({ table }) =>
        table(numbers)
          .filter(() => true, 'f')
          .toStream()
          .to(out),
    ],
    [
      'a filter over a kept source',
      ['table-source', 'table-filter'],
      ({ table }) =>
        table(numbers, 'kept')
          .filter(() => true)
          .toStream()
          .to(out),
    ],
    [
      'a filter over mapped values of a kept source',
      ['table-source', 'table-map-values', 'table-filter'],
      ({ table }) =>
        table(numbers, 'kept')
          .mapValues((v) => v)
          .filter(() => true)
          .toStream()
          .to(out),
    ],
    [
      'a filter over an aggregate',
      ['aggregate', 'table-filter'],
      ({ stream }) =>
        stream(numbers)
          .groupByKey()
          .count('c')
          .filter(() => true)
          .toStream()
          .to(out),
    ],
    [
      'a regrouping, which makes the source keep its rows',
      ['table-source'],
      ({ table }) =>
        void table(numbers)
          .groupBy((v, k) => [k, v], string())
          .count('c'),
    ],
    [
      'a regrouping of kept mapped values, which need not ask further',
      ['table-map-values'],
      ({ table }) =>
        void table(numbers)
          .mapValues((v) => v, 'm', json<number>())
          .groupBy((v, k) => [k, v], string())
          .count('c'),
    ],
    [
      'a regrouping of windows',
      ['windowed-aggregate'],
      ({ stream }) =>
        void stream(numbers)
          .groupByKey()
          .windowedBy(tumbling(1))
          .count('c')
          .groupBy((n, w) => [w.key, n], string())
          .count('d'),
    ],
  ] as [string, string[], (builder: JobBuilder) => void][])('%s', (_name, kinds, build) => {
    expect(sending(build)).toEqual(kinds)
  })
})
