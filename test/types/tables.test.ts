import { job, json, type KeyValueStore, type KTable, keyValueStore, string, topic, tumbling } from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { type Airline, airlines, byNumber, counts, type Flight, flights, holed, numbers } from './topics.ts'

it('tells a table that can delete from one that cannot', () => {
  job('j', {}, ({ stream, table }) => {
    const grouped = stream(numbers).groupByKey()
    expectType<KTable<string, Airline>>()(table(airlines))
    expectType<KTable<string, number>>()(table(holed))
    expectType<KTable<string, number, never>>()(grouped.count('count'))
    expectType<KTable<string, number, never>>()(grouped.reduce('sum', (sum, value) => sum + value))
    expectType<KTable<string, number, null>>()(
      grouped.reduce('sum-or-nothing', (sum, value) => (value === 0 ? null : sum + value)),
    )
    table(airlines)
      .toStream()
      .peek((airline) => expectType<Airline | null>()(airline))
    grouped
      .count('count-2')
      .toStream()
      .peek((counted) => expectType<number>()(counted))
    grouped
      .count('count-3')
      .filter((counted) => counted > 1)
      .toStream()
      .peek((counted) => expectType<number | null>()(counted))
    table(airlines).filter((airline) => airline.name !== '')
    expectType<KTable<string, string, null, 'serde', 'no serde'>>()(table(airlines).mapValues(({ name }) => name))
    expectType<KTable<string, number, null, 'serde', 'no serde'>>()(
      grouped.count('count-4').mapValues((counted) => (counted > 1 ? counted : null)),
    )
    expectType<KTable<string, number, never, 'serde', 'no serde'>>()(
      grouped.count('count-5').mapValues((counted) => counted * 2),
    )
  })
})

it('never shows a null where a record without value is left out', () => {
  job('j', {}, ({ stream }) => {
    const grouped = stream(holed).groupByKey()
    grouped.reduce('plain', (sum, value) => {
      expectType<number>()(sum)
      expectType<number>()(value)
      return sum + value
    })
    grouped.windowedBy(tumbling('1h')).reduce('windowed', (sum, value) => {
      expectType<number>()(sum)
      expectType<number | null>()(value)
      return sum + (value ?? 0)
    })
    stream(holed).toTable('table')
  })
})

it('asks for a serde and a name where there is a store', () => {
  job('j', {}, ({ stream, table }) => {
    const names = stream(flights).mapValues((flight) => flight.carrier)
    names.groupByKey().reduce('given', (_, name) => name, string())
    names.toTable('given-table', string())
    stream(flights)
      .groupByKey()
      .reduce('known', (_, flight) => flight)
    table(airlines).filter(({ name }) => name !== '', 'named')
    table(airlines).mapValues(({ name }) => name, 'mapped', string())
    const wrong = () => {
      const grouped = names.groupByKey()
      // @ts-expect-error the value's serde is missing
      grouped.reduce('missing', (_, name) => name)
      // @ts-expect-error the serde is of another type
      grouped.reduce('other', (_, name) => name, json<number>())
      // @ts-expect-error the value's serde is missing
      names.toTable('missing')
      // @ts-expect-error a store has a name
      grouped.count()
      // @ts-expect-error a store has a name
      names.toTable()
      // @ts-expect-error a store of mapped values has a serde
      table(airlines).mapValues(({ name }) => name, 'mapped')
      const mapped = table(airlines).mapValues(({ name }) => name)
      // @ts-expect-error a store of mapped values has a serde
      mapped.filter((name) => name !== '', 'filtered')
    }
    return wrong
  })
})

it('knows what a transformer of values sees and makes', () => {
  job('j', {}, ({ table, stream }) => {
    const stores = { seen: keyValueStore(string(), json<number>()) }
    const names = table(airlines).transformValues('names', { value: string(), stores }, (context) => {
      expectType<KeyValueStore<string, number>>()(context.stores.seen)
      return (airline, key) => {
        expectType<Airline | null>()(airline)
        expectType<string>()(key)
        return airline?.name ?? null
      }
    })
    expectType<KTable<string, string, null>>()(names)
    const counted = stream(numbers).groupByKey().count('count')
    expectType<KTable<string, number, never>>()(
      counted.transformValues('doubled', { value: json<number>() }, () => (n) => n * 2),
    )
    const wrong = () => {
      // @ts-expect-error deletes come too
      table(airlines).transformValues('n', { value: string() }, () => (airline) => airline.name)
      // @ts-expect-error the serde is of another type
      counted.transformValues('n', { value: string() }, () => (n) => n * 2)
      // @ts-expect-error what is made is kept
      counted.transformValues('n', () => (n) => n * 2)
      // @ts-expect-error a store has a name
      counted.transformValues({ value: json<number>() }, () => (n) => n * 2)
      // @ts-expect-error no transformer is given back
      counted.transformValues('n', { value: json<number>() }, () => 5)
    }
    return wrong
  })
})

it('regroups a table with its own types', () => {
  job('j', {}, ({ stream, table }) => {
    const byName = table(airlines).groupBy((airline, key) => [airline.name, key.length], string())
    expectType<KTable<string, number, never>>()(byName.count('names'))
    expectType<KTable<string, number, never>>()(
      byName.reduce(
        'lengths',
        (sum, length) => sum + length,
        (sum, length) => sum - length,
        json<number>(),
      ),
    )
    table(airlines).groupBy((airline) => [airline.name === '' ? null : airline.name, 1], string())
    const wrong = () => {
      // @ts-expect-error the key's serde is missing
      table(airlines).groupBy((airline) => [airline.name, 1])
      // @ts-expect-error the serde is of another type
      table(airlines).groupBy((airline) => [airline.name, 1], json<number>())
      // @ts-expect-error there is nothing to take values out with
      byName.reduce('lengths', (sum, length) => sum + length, json<number>())
    }
    stream(numbers)
      .groupByKey()
      .count('n')
      .groupBy((counted, key) => [`${counted}`, key], string())
      .count('histogram')
    return wrong
  })
})

it('joins by equal keys alone', () => {
  job('j', {}, ({ stream, table }) => {
    stream(flights)
      .join(table(airlines), (flight, airline, key) => {
        expectType<Flight>()(flight)
        expectType<Airline>()(airline)
        expectType<string>()(key)
        return airline.name
      })
      .peek((name) => expectType<string>()(name))
    stream(holed).leftJoin(table(airlines), (value, airline, key) => {
      expectType<number>()(value)
      expectType<Airline | null>()(airline)
      expectType<string | null>()(key)
      return airline
    })
    stream(flights)
      .selectKey((flight) => (flight.distance > 9 ? 'far' : 'near'))
      .join(table(airlines), (flight, airline) => ({ ...flight, ...airline }))
    const wrong = () => {
      // @ts-expect-error the table's keys are numbers
      stream(flights).join(table(byNumber), (flight) => flight)
      const byDistance = stream(flights).selectKey(({ distance }) => distance, json<number>())
      // @ts-expect-error the stream's keys are numbers
      byDistance.leftJoin(table(airlines), (flight) => flight)
      // @ts-expect-error the airline may be missing
      stream(flights).leftJoin(table(airlines), (_, airline) => airline.name)
    }
    return wrong
  })
})

it('sends a table where its keys and values fit', () => {
  const named = topic('named', { key: string(), value: string() })
  job('j', {}, ({ stream, table }) => {
    table(airlines).to(topic('copy', { key: string(), value: json<Airline>() }), { owner: true })
    table(airlines)
      .mapValues(({ name }) => name)
      .to(named)
    stream(numbers).groupByKey().count('n').to(counts)
    const wrong = () => {
      // @ts-expect-error the topic takes texts
      table(airlines).to(named)
      const strict = topic('strict', { key: string(), value: json<number>() })
      // @ts-expect-error deletes are records without value, which the topic does not take
      stream(numbers).toTable('t').toStream().to(strict)
    }
    return wrong
  })
})
