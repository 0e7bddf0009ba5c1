import { type JobBuilder, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import type { DraftNode } from '../../../src/topology/draft.ts'
import { freeze } from '../../../src/topology/freeze/freeze.ts'
import { invalid, nodesOf, numbers, others, out, shape } from '../dsl/topics.ts'

const mid = topic('mid', { key: string(), value: json<number>(), nullKey: true, nullValue: true })
const keyed = topic('keyed', { key: string(), value: json<number>() })

const refuses = (build: (builder: JobBuilder) => void, message: RegExp) =>
  expect(() => nodesOf(build)).toThrowError(expect.objectContaining(invalid(message)))

describe('order', () => {
  it('is that of the calls', () => {
    expect(
      shape(({ stream }) => {
        const source = stream(numbers)
        source.filter((value) => value > 0).to(out)
        source.flatMapValues((value) => [value])
        source.selectKey(() => 'all').to(keyed)
      }),
    ).toEqual([
      'numbers:stream',
      'numbers:filter < numbers:stream',
      'out:sink < numbers:filter',
      'numbers:flat-map-values < numbers:stream',
      'numbers:select-key < numbers:stream',
      'keyed:sink < numbers:select-key',
    ])
  })

  it('puts what reads a topic behind what writes it', () => {
    expect(
      shape(({ stream }) => {
        stream(mid)
          .mapValues((value) => value)
          .to(out)
        stream(numbers).to(mid)
      }),
    ).toEqual([
      'numbers:stream',
      'mid:exchange < numbers:stream',
      'mid:map-values < mid:exchange',
      'out:sink < mid:map-values',
    ])
  })
})

describe('a topic that is written and read', () => {
  it('is an exchange that is published', () => {
    const nodes = nodesOf(({ stream }) => {
      stream(numbers).to(mid)
      stream(mid).to(out)
    })
    expect(nodes).toMatchObject([
      { name: 'numbers:stream' },
      {
        name: 'mid:exchange',
        kind: 'exchange',
        parents: [0],
        published: mid,
        key: mid.key,
        value: mid.value,
        nullKeys: true,
        changes: false,
      },
      { name: 'out:sink', parents: [1] },
    ])
  })

  it('is sent on in the order of the calls, by whoever writes it', () => {
    expect(
      shape(({ stream }) => {
        stream(numbers).to(mid)
        const other = stream(others)
        other.filter((value) => value > 0).to(keyed)
        other.to(mid)
        stream(mid).to(out)
      }),
    ).toEqual([
      'numbers:stream',
      'mid:exchange < numbers:stream',
      'others:stream',
      'others:filter < others:stream',
      'keyed:sink < others:filter',
      'mid:exchange-2 < others:stream',
      'mid:merge < mid:exchange < mid:exchange-2',
      'out:sink < mid:merge',
    ])
  })

  it('is read as a table below the exchanges', () => {
    const nodes = nodesOf(({ stream, table }) => {
      stream(numbers).to(keyed)
      stream(others).join(table(keyed), (one) => one)
      stream(numbers).to(keyed)
    })
    expect(nodes).toMatchObject([
      { name: 'numbers:stream' },
      { name: 'keyed:exchange', published: keyed, nullKeys: false, parents: [0] },
      { name: 'others:stream' },
      { name: 'keyed:exchange-2', published: keyed, parents: [0] },
      { kind: 'to-table', name: 'keyed:to-table', parents: [1, 3], store: { name: 'keyed', key: keyed.key } },
      { kind: 'stream-table-join', parents: [2, 4] },
    ])
  })

  it('keeps the name of such a table', () => {
    const nodes = nodesOf(({ stream, table }) => {
      stream(numbers).to(keyed)
      table(keyed, 'kept')
    })
    expect(nodes.at(-1)).toMatchObject({ kind: 'to-table', name: 'kept', store: { name: 'kept' } })
  })

  it('takes the changes of a table', () => {
    expect(
      shape(({ stream, table }) => {
        table(numbers).to(keyed)
        stream(keyed).to(out)
      }),
    ).toEqual(['numbers:table', 'keyed:exchange < numbers:table', 'out:sink < keyed:exchange'])
  })

  it('does not lead back to itself', () => {
    refuses(({ stream }) => {
      stream(keyed)
        .filter((value) => value > 0)
        .to(keyed)
    }, /freeze\.test\.ts:\d+: what is read from the topic keyed leads back into it$/)
  })

  it('has neither an owner nor times of its own', () => {
    refuses(({ stream, table }) => {
      table(numbers).to(keyed, { owner: true })
      stream(keyed)
    }, /the topic keyed has an owner, and this job reads it too$/)
    const timed = topic('timed', { key: string(), value: json<number>(), timestamp: 'wall-clock' })
    refuses(({ stream }) => {
      stream(numbers).to(timed)
      stream(timed)
    }, /the topic timed has a timestamp extractor, and this job writes it$/)
  })
})

describe('an owned topic', () => {
  it('is written once', () => {
    refuses(({ table }) => {
      table(numbers).to(keyed, { owner: true })
      table(others).to(keyed)
    }, /the topic keyed has an owner, and is written twice$/)
  })
})

describe('the store of a table source', () => {
  const storeOf = (build: (builder: JobBuilder) => void) =>
    nodesOf(build).flatMap((node) => (node.kind === 'table-source' ? [node.store?.name ?? null] : []))

  it.each([
    ['is left out where nothing reads it', ({ table }) => table(numbers).filter(Boolean).to(out), [null]],
    ['has the given name', ({ table }) => table(numbers, 'kept').to(out), ['kept']],
    ['is needed by a join', ({ stream, table }) => stream(numbers).join(table(others), (one) => one), ['others']],
    [
      'is needed by a join through what is computed',
      ({ stream, table }) => stream(numbers).join(table(others).filter(Boolean).mapValues(String), (one) => one),
      ['others'],
    ],
    [
      'is not needed by a join with a store below it',
      ({ stream, table }) => stream(numbers).join(table(others).filter(Boolean, 'kept'), (one) => one),
      [null],
    ],
    [
      'is needed by a regrouping, which takes back old values',
      ({ table }) =>
        table(others)
          .mapValues(String)
          .groupBy((value) => [value, 1], string())
          .count('count'),
      ['others'],
    ],
  ] satisfies [string, (builder: JobBuilder) => unknown, (string | null)[]][])('%s', (_, build, stores) => {
    expect(storeOf((builder) => void build(builder))).toEqual(stores)
  })
})

describe('made names', () => {
  it('count steps of one kind behind one named step', () => {
    expect(
      nodesOf(({ stream }) => {
        stream(numbers).filter(Boolean).filter(Boolean).toTable('kept').toStream().filter(Boolean).to(out)
        stream(numbers).filter(Boolean).to(out)
      }).map(({ name }) => name),
    ).toEqual([
      'numbers:stream',
      'numbers:filter',
      'numbers:filter-2',
      'kept',
      'kept:to-stream',
      'kept:filter',
      'out:sink',
      'numbers:filter-3',
      'out:sink-2',
    ])
  })

  it('name an exchange with nothing named behind it by what is before', () => {
    expect(
      nodesOf(({ stream, table }) => {
        stream(numbers)
          .selectKey(() => 'k')
          .join(table(others), (one) => one)
      }).map(({ name }) => name),
    ).toEqual(['numbers:stream', 'numbers:select-key', 'others:table', 'numbers:exchange', 'numbers:stream-table-join'])
  })
})

describe('sub-topologies', () => {
  const partsOf = (draft: readonly DraftNode[]) => freeze(draft).subTopologies

  it('end at exchanges, and are named by their first source, exchange or store', () => {
    const nodes = nodesOf(({ stream, table }) => {
      stream(numbers)
        .selectKey(() => 'k', string())
        .groupByKey()
        .count('counts')
        .to(out)
      stream(others).join(table(keyed), (one) => one)
    })
    const draft = nodes.map(({ id, parents, name, ...settings }) => ({ id, parents, given: name, settings }))
    expect(partsOf(draft)).toEqual([
      { name: 'numbers', nodes: [0, 1], stores: [] },
      { name: 'counts:exchange', nodes: [2, 3, 4], stores: ['counts'] },
      { name: 'others', nodes: [5, 6, 7], stores: ['keyed'] },
    ])
  })

  it('meet where streams meet', () => {
    const shapeOf = (build: (builder: JobBuilder) => void) => {
      const nodes = nodesOf(build)
      return partsOf(nodes.map(({ id, parents, name, ...settings }) => ({ id, parents, given: name, settings })))
    }
    expect(shapeOf(({ stream }) => stream(numbers).merge(stream(others)).to(out))).toHaveLength(1)
    expect(
      shapeOf(({ stream }) => {
        stream(numbers).to(out)
        stream(others).to(out)
      }),
    ).toHaveLength(2)
  })
})

describe('a draft', () => {
  const source: DraftNode = {
    id: 7,
    given: null,
    parents: [],
    settings: { kind: 'stream-source', where: null, topic: numbers },
  }

  it('need not come from the surface', () => {
    const sink: DraftNode = {
      id: 3,
      given: null,
      parents: [7],
      settings: { kind: 'stream-sink', where: null, topic: out },
    }
    expect(freeze([sink, source]).nodes).toMatchObject([
      { id: 0, name: 'numbers:stream', parents: [] },
      { id: 1, name: 'out:sink', parents: [0] },
    ])
  })

  it('has the parents of all its nodes', () => {
    const peek: DraftNode = { id: 1, given: null, parents: [99], settings: { kind: 'merge', where: null } }
    expect(() => freeze([source, peek])).toThrowError(
      expect.objectContaining(invalid('a step follows one that the job does not have')),
    )
  })
})
