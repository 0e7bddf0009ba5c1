import { json, string, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { nodesOf, numbers, others, out, shape } from './topics.ts'

const exchangesOf = (build: Parameters<typeof nodesOf>[0]) =>
  nodesOf(build).flatMap((node) => (node.kind === 'exchange' ? [node] : []))

describe('an exchange', () => {
  it('is left out where keys stay', () => {
    expect(
      exchangesOf(({ stream, table }) => {
        const kept = stream(numbers)
          .filter(() => true)
          .mapValues((value) => value)
          .flatMapValues((value) => [value])
          .peek(() => undefined)
        kept.groupByKey().count('count')
        kept.toTable('table', json<number>())
        kept.join(table(others), (one) => one).to(out)
      }),
    ).toEqual([])
  })

  it('is left out where a new key is only written', () => {
    expect(
      exchangesOf(({ stream }) =>
        stream(numbers)
          .selectKey(() => 'all')
          .to(out),
      ),
    ).toEqual([])
  })

  it.each([
    [
      'selectKey',
      ({ stream }) =>
        stream(numbers)
          .selectKey(() => 'k', string())
          .groupByKey()
          .count('c'),
    ],
    [
      'map',
      ({ stream }) =>
        stream(numbers)
          .map((value, key) => [key, value], string())
          .groupByKey()
          .count('c'),
    ],
    [
      'flatMap',
      ({ stream }) =>
        stream(numbers)
          .flatMap((value, key) => [[key, value]], string())
          .groupByKey()
          .count('c'),
    ],
    [
      'groupBy',
      ({ stream }) =>
        stream(numbers)
          .groupBy((_, key) => key, string())
          .count('c'),
    ],
    [
      'merge',
      ({ stream }) =>
        stream(others)
          .merge(stream(numbers).selectKey(() => 'k', string()))
          .groupByKey()
          .count('c'),
    ],
    [
      'a step between',
      ({ stream }) =>
        stream(numbers)
          .selectKey(() => 'k', string())
          .filter(() => true)
          .groupByKey()
          .count('c'),
    ],
    [
      'toStream',
      ({ table }) =>
        table(numbers)
          .toStream((_, key) => key, string())
          .groupByKey()
          .count('c'),
    ],
    ['another serde', ({ stream }) => stream(numbers).groupByKey(json<string>()).count('c')],
  ] satisfies [string, Parameters<typeof nodesOf>[0]][])('follows %s, where a step groups', (_, build) => {
    expect(exchangesOf(build)).toMatchObject([{ name: 'c:exchange', nullKeys: false, changes: false, published: null }])
  })

  it('stands once for each aggregate, and is named by it', () => {
    const grouped = shape(({ stream }) => {
      const grouped = stream(numbers).groupBy((value) => `${value}`, string())
      grouped.count('first')
      grouped.windowedBy(tumbling('1h')).count('second')
    })
    expect(grouped).toEqual([
      'numbers:stream',
      'numbers:select-key < numbers:stream',
      'first:exchange < numbers:select-key',
      'first < first:exchange',
      'second:exchange < numbers:select-key',
      'second < second:exchange',
    ])
  })

  it('is not needed again behind one', () => {
    const names = shape(({ stream, table }) => {
      const joined = stream(numbers)
        .selectKey(() => 'k', string())
        .join(table(others), (one, other) => one + other)
      joined.groupByKey().count('count')
      joined.toTable('table', json<number>())
    }).filter((name) => name.includes(':exchange'))
    expect(names).toEqual([
      'count:exchange < numbers:select-key',
      'count:stream-table-join < count:exchange < others:table',
    ])
  })

  it('keeps null keys before a left join alone', () => {
    const nullKeys = (left: boolean) =>
      exchangesOf(({ stream, table }) => {
        const rekeyed = stream(numbers).selectKey(() => 'k', string())
        const joined = left ? rekeyed.leftJoin(table(others), (one) => one) : rekeyed.join(table(others), (one) => one)
        joined.to(out)
      }).map((exchange) => exchange.nullKeys)
    expect(nullKeys(true)).toEqual([true])
    expect(nullKeys(false)).toEqual([false])
  })

  it("takes the table's serde for its keys where a join gives none", () => {
    const [exchange] = exchangesOf(({ stream, table }) => {
      stream(numbers)
        .selectKey(() => 'k')
        .join(table(others), (one) => one)
        .to(out)
    })
    expect(exchange?.key).toBe(others.key)
  })

  it('carries old and new values between a regrouped table and its aggregate', () => {
    const nodes = nodesOf(({ table }) => {
      table(numbers)
        .groupBy((value, key) => [`${value}`, key], string())
        .count('count')
    })
    expect(nodes).toMatchObject([
      { kind: 'table-source', store: { name: 'numbers' } },
      { kind: 'table-group-by', name: 'numbers:table-group-by' },
      { kind: 'exchange', name: 'count:exchange', changes: true, key: string() },
      { kind: 'table-aggregate', name: 'count', store: { name: 'count', key: string() } },
    ])
  })

  it('takes the name of the next named step or sink, whatever stands elsewhere', () => {
    const rekeyed = (extra: boolean) =>
      shape(({ stream, table }) => {
        if (extra) stream(numbers).groupByKey().count('elsewhere')
        const joined = stream(numbers)
          .selectKey(() => 'k', string())
          .join(table(others), (one) => one)
        joined.mapValues((one) => one).to(out)
      }).filter((name) => name.startsWith('out:exchange'))
    expect(rekeyed(false)).toEqual(['out:exchange < numbers:select-key'])
    expect(rekeyed(true)).toEqual(rekeyed(false))
  })
})
