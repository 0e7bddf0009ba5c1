import { job, joinWindows, json, string, topic, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { invalid, nodesOf, numbers, out, shape } from './topics.ts'

const byNumber = topic('by-number', { key: json<string>(), value: json<number>() })
const others = topic('others', { key: string(), value: json<number>() })
const hour = joinWindows('1h')
const plus = (one: number, other: number | null) => one + (other ?? 0)
const text = (value: number) => `${value}`

const refuses = (build: Parameters<typeof nodesOf>[0], message: string | RegExp) =>
  expect(() => nodesOf(build)).toThrowError(expect.objectContaining(invalid(message)))

const storesOf = (build: Parameters<typeof nodesOf>[0]) =>
  job('j', {}, build).topology.subTopologies.map(({ name, stores }) => [name, ...stores])

describe('a join of streams', () => {
  it('is named, and keeps both sides, and what waits, in stores named after it', () => {
    expect(
      shape(({ stream }) => {
        stream(numbers).join(stream(others), plus, hour, 'pairs').to(out)
      }),
    ).toEqual(['numbers:stream', 'others:stream', 'pairs < numbers:stream < others:stream', 'out:sink < pairs'])
    expect(storesOf(({ stream }) => void stream(numbers).leftJoin(stream(others), plus, hour, 'pairs'))).toEqual([
      ['numbers', 'pairs-left', 'pairs-left-unmatched', 'pairs-right'],
    ])
    expect(storesOf(({ stream }) => void stream(numbers).outerJoin(stream(others), () => 1, hour, 'pairs'))).toEqual([
      ['numbers', 'pairs-left', 'pairs-left-unmatched', 'pairs-right', 'pairs-right-unmatched'],
    ])
  })

  it('puts an exchange where keys were made, and there carries null keys for a left join', () => {
    const nodes = nodesOf(({ stream }) => {
      const byText = stream(numbers).selectKey(text, string())
      byText.leftJoin(stream(others), plus, hour, 'left')
      byText.join(stream(others), plus, hour, 'inner')
    })
    expect(nodes.flatMap((node) => (node.kind === 'exchange' ? [[node.name, node.nullKeys]] : []))).toEqual([
      ['left:exchange', true],
      ['inner:exchange', false],
    ])
  })

  it('is refused where it cannot be', () => {
    refuses(({ stream }) => {
      stream(numbers).join(stream(byNumber), plus, hour, 'pairs')
    }, /one stream has string keys, and the other json ones$/)
    refuses(({ stream }) => {
      stream(numbers).join(stream(others), plus, hour, 'a/b')
    }, /a join cannot be called "a\/b"$/)
    refuses(({ stream }) => {
      job('other', {}, (builder) => {
        stream(numbers).join(builder.stream(others), plus, hour, 'pairs')
      })
    }, /a stream or table of another job is used$/)
    refuses(({ stream }) => {
      stream(others).toTable('pairs-left')
      stream(numbers).join(stream(others), plus, hour, 'pairs')
    }, /two stores are called pairs-left/)
    expect(() => joinWindows('-5m' as '5m')).toThrowError(expect.objectContaining(invalid(/before/)))
  })
})

describe('a join of tables', () => {
  it('keeps what it reads, and its results where it is named', () => {
    expect(storesOf(({ table }) => void table(numbers).join(table(others), plus))).toEqual([
      ['numbers', 'numbers', 'others'],
    ])
    expect(storesOf(({ table }) => void table(numbers).join(table(others), plus, 'sums', json<number>()))).toEqual([
      ['numbers', 'numbers', 'others', 'sums'],
    ])
  })

  it('is refused where keys are other bytes', () => {
    refuses(({ table }) => {
      table(numbers).join(table(byNumber), plus)
    }, /one table has string keys, and the other json ones$/)
  })

  it('is refused where windows are others', () => {
    refuses(({ stream }) => {
      const counted = (size: string, name: string) =>
        stream(numbers)
          .groupByKey()
          .windowedBy(tumbling(size as '1m'))
          .count(name)
      counted('1m', 'minutes').join(counted('5m', 'fives'), plus)
    }, /one table has time-windowed.* keys, and the other time-windowed.* ones$/)
  })
})

describe('a join by foreign key', () => {
  it('asks and answers by way of two exchanges, and is named by its end', () => {
    expect(
      shape(({ table }) => {
        table(numbers).join(table(others), text, plus, 'joined').toStream().to(out)
      }),
    ).toEqual([
      'numbers:table',
      'others:table',
      'joined:subscribe < numbers:table',
      'joined:exchange < joined:subscribe',
      'joined:lookup < joined:exchange < others:table',
      'joined:exchange-2 < joined:lookup',
      'joined < joined:exchange-2 < numbers:table',
      'joined:to-stream < joined',
      'out:sink < joined:to-stream',
    ])
    expect(storesOf(({ table }) => void table(numbers).join(table(others), text, plus, 'joined'))).toEqual([
      ['numbers', 'numbers'],
      ['others', 'others', 'joined-subscriptions'],
    ])
  })

  it('keeps its results where a serde is given, and has to where a later step needs them', () => {
    expect(
      storesOf(({ table }) => {
        table(numbers)
          .join(table(others), text, plus, 'joined', { result: json<number>() })
          .groupBy((value, key) => [key, value], string())
          .count('counted')
      }),
    ).toEqual([
      ['numbers', 'numbers', 'joined'],
      ['others', 'others', 'joined-subscriptions'],
      ['counted:exchange', 'counted'],
    ])
    refuses(({ table }) => {
      table(numbers)
        .join(table(others), text, plus, 'joined')
        .filter((value) => value > 0)
        .groupBy((value, key) => [key, value], string())
        .count('counted')
    }, /a later step needs the rows of the foreign-key join joined, and it does not keep them$/)
  })
})

describe('a global table', () => {
  it('is a part of its own, with a store', () => {
    const build: Parameters<typeof nodesOf>[0] = ({ stream, globalTable }) => {
      stream(numbers).join(globalTable(others), text, plus)
    }
    expect(storesOf(build)).toEqual([['numbers'], ['others', 'others']])
    expect(
      storesOf(({ stream, globalTable }) => void stream(numbers).join(globalTable(others, 'all'), text, plus)),
    ).toEqual([['numbers'], ['others', 'all']])
  })

  it('is no table beside', () => {
    refuses(({ table, globalTable }) => {
      table(others)
      globalTable(others)
    }, /the topic others is read as a table and as a global table$/)
  })

  it('may be of a topic that the job writes itself', () => {
    const nodes = nodesOf(({ stream, globalTable }) => {
      stream(numbers).to(others)
      stream(byNumber).join(globalTable(others), text, plus)
    })
    expect(nodes.flatMap((node) => (node.kind === 'to-table' ? [[node.store.name, node.global]] : []))).toEqual([
      ['others', true],
    ])
  })
})

describe('a versioned table', () => {
  it('has its history in a store of its own', () => {
    expect(storesOf(({ table }) => void table(others, 'rates', { historyRetention: '1h' }))).toEqual([
      ['others', 'rates', 'rates-history'],
    ])
    expect(storesOf(({ stream }) => void stream(others).toTable('rates', { historyRetention: '1h' }))).toEqual([
      ['others', 'rates', 'rates-history'],
    ])
  })

  it('has a name, and a history', () => {
    refuses(({ table }) => {
      table(others, undefined as never, { historyRetention: '1h' })
    }, /a store has no name$/)
    refuses(({ table }) => {
      table(others, 'rates', { historyRetention: 0 })
    }, /the table rates keeps no history$/)
    refuses(({ table }) => {
      table(others, 'rates', { historyRetention: '1h' })
      table(others, 'rates', { historyRetention: '2h' })
    }, /the table of others has no name or another one already$/)
  })

  it('is what a join with a grace needs, as long as the grace', () => {
    refuses(({ stream, table }) => {
      const rates = table(others, 'rates', { historyRetention: '1h' })
      stream(numbers).join(rates, plus, 'waiting', { grace: '2h' })
    }, /the join waiting waits longer than its table's history lasts$/)
    refuses(({ stream, table }) => {
      stream(numbers).join(table(others, 'rates') as never, plus, 'waiting', { grace: '2h' })
    }, /the join waiting has a grace, and its table is not versioned$/)
  })
})
