import { job, joinWindows, json, type KStream, type KTable, string, tumbling } from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { type Airline, airlines, byNumber, counts, type Flight, flights, holed, numbers } from './topics.ts'

const hour = joinWindows('1h')
const hourly = tumbling('1h')

// Compiled, and never built.
const refused = (build: Parameters<typeof job>[2]) => void build

it('infers what joins of streams give', () => {
  job('j', {}, ({ stream }) => {
    const pairs = stream(flights).join(
      stream(numbers),
      (flight, number, key) => {
        expectType<Flight>()(flight)
        expectType<number>()(number)
        expectType<string>()(key)
        return { flight, number }
      },
      hour,
      'pairs',
    )
    expectType<KStream<string, { flight: Flight; number: number }, 'serde', 'no serde'>>()(pairs)
    stream(flights).leftJoin(
      stream(numbers),
      (flight, number) => {
        expectType<Flight>()(flight)
        expectType<number | null>()(number)
        return 1
      },
      hour,
      'left-pairs',
    )
    const outer = stream(flights).outerJoin(
      stream(numbers),
      (flight, number) => {
        expectType<Flight | null>()(flight)
        expectType<number | null>()(number)
        return 'x'
      },
      joinWindows({ before: '5m', after: '1h' }, { grace: '10m' }),
      'outer-pairs',
    )
    expectType<KStream<string, string, 'serde', 'no serde'>>()(outer)
  })
})

it('knows which records without key or value a join of streams sees', () => {
  job('j', {}, ({ stream }) => {
    expectType<KStream<string, number, 'serde', 'no serde'>>()(
      stream(holed).join(
        stream(numbers),
        (one, other, key) => {
          expectType<number>()(one)
          expectType<string>()(key)
          return one + other
        },
        hour,
        'inner',
      ),
    )
    expectType<KStream<string | null, number, 'serde', 'no serde'>>()(
      stream(holed).leftJoin(
        stream(numbers),
        (one, other, key) => {
          expectType<number>()(one)
          expectType<string | null>()(key)
          return one + (other ?? 0)
        },
        hour,
        'left',
      ),
    )
    expectType<KStream<string | null, number, 'serde', 'no serde'>>()(
      stream(numbers).outerJoin(stream(holed), (one, other) => (one ?? 0) + (other ?? 0), hour, 'outer'),
    )
  })
})

it('asks for the serdes of what a join of streams keeps, and for keys that are alike', () => {
  job('j', {}, ({ stream }) => {
    const names = stream(flights).mapValues((flight) => flight.carrier)
    names.join(stream(numbers), (name, number) => name + number, hour, 'given-left', { left: string() })
    stream(numbers).join(names, (number, name) => name + number, hour, 'given-right', { right: string() })
    names.join(names, (one, other) => one + other, hour, 'given-both', { left: string(), right: string() })
    stream(numbers).join(stream(numbers), (one, other) => one + other, hour, 'given-none')
  })
  refused(({ stream }) => {
    const names = stream(flights).mapValues((flight) => flight.carrier)
    // @ts-expect-error the left values have no serde
    names.join(stream(numbers), (name, number) => name + number, hour, 'a')
    // @ts-expect-error the right values have no serde
    stream(numbers).join(names, (number, name) => name + number, hour, 'b')
    // @ts-expect-error only one of two is given
    names.join(names, (one, other) => one + other, hour, 'c', { left: string() })
    // @ts-expect-error a serde of something else
    names.join(stream(numbers), (name, number) => name + number, hour, 'd', { left: json<number>() })
    // @ts-expect-error no name
    stream(numbers).join(stream(numbers), (one, other) => one + other, hour)
    // @ts-expect-error no windows
    stream(numbers).join(stream(numbers), (one, other) => one + other)
    // @ts-expect-error keys of another type
    stream(numbers).join(stream(byNumber), (one, other) => [one, other], hour, 'e')
    const rekeyed = stream(numbers).selectKey((value) => `${value}`)
    // @ts-expect-error the keys of one have no serde
    stream(numbers).join(rekeyed, (one, other) => one + other, hour, 'f')
    // @ts-expect-error the keys of the other have no serde
    rekeyed.leftJoin(stream(numbers), (one) => one, hour, 'g')
    // @ts-expect-error an absent value may be null
    stream(numbers).leftJoin(stream(numbers), (one, other) => one + other, hour, 'h')
    // @ts-expect-error a table is not joined within windows
    stream(numbers).outerJoin(counts, (one, other) => [one, other], hour, 'i')
  })
})

it('infers what joins of tables give', () => {
  job('j', {}, ({ stream, table }) => {
    const counted = stream(numbers).groupByKey().count('counted')
    expectType<KTable<string, string, null, 'serde', 'no serde'>>()(
      table(airlines).join(table(counts), (airline, count, key) => {
        expectType<Airline>()(airline)
        expectType<number>()(count)
        expectType<string>()(key)
        return airline.name
      }),
    )
    // a count never deletes, and so does a left join with a table that does
    expectType<KTable<string, number, never, 'serde', 'no serde'>>()(
      counted.leftJoin(table(counts), (count, other) => {
        expectType<number | null>()(other)
        return count
      }),
    )
    expectType<KTable<string, number, null, 'serde', 'no serde'>>()(
      counted.join(table(airlines), (count) => (count > 1 ? count : null)),
    )
    expectType<KTable<string, number, null>>()(
      table(airlines).outerJoin(
        counted,
        (airline, count) => {
          expectType<Airline | null>()(airline)
          expectType<number | null>()(count)
          return count ?? 0
        },
        'joined',
        json<number>(),
      ),
    )
  })
  refused(({ stream, table }) => {
    const counted = stream(numbers).groupByKey().count('counted')
    // @ts-expect-error keys of another type
    table(airlines).join(table(byNumber), (one, other) => [one, other])
    // @ts-expect-error a store needs a serde
    table(airlines).join(counted, (airline) => airline.name, 'a')
    // @ts-expect-error a serde of something else
    table(airlines).join(counted, (airline) => airline.name, 'b', json<number>())
    // @ts-expect-error the other value may be absent
    table(counts).leftJoin(counted, (one, other) => one + other)
    // @ts-expect-error a table with windows has other keys
    table(counts).join(stream(numbers).groupByKey().windowedBy(hourly).count('c'), (one, other) => one + other)
  })
})

it('infers what a join by foreign key gives', () => {
  job('j', {}, ({ stream, table }) => {
    const flown = stream(flights).toTable('flown')
    const named = flown.join(
      table(airlines),
      (flight, key) => {
        expectType<Flight>()(flight)
        expectType<string>()(key)
        return flight.carrier
      },
      (flight, airline, key) => {
        expectType<Flight>()(flight)
        expectType<Airline>()(airline)
        expectType<string>()(key)
        return airline.name
      },
      'named',
    )
    expectType<KTable<string, string, null, 'serde', 'no serde'>>()(named)
    const kept = flown.leftJoin(
      table(byNumber),
      (flight) => (flight.distance > 0 ? flight.distance : null),
      (_, airline) => {
        expectType<Airline | null>()(airline)
        return airline?.name ?? 'none'
      },
      'kept',
      { result: string() },
    )
    expectType<KTable<string, string, null>>()(kept)
    kept.groupBy((name, key) => [name, key], string()).count('by-name')
    const mapped = flown.mapValues((flight) => flight.carrier)
    mapped.join(
      table(airlines),
      (carrier) => carrier,
      (_, airline) => airline.name,
      'mapped',
      { left: string() },
    )
  })
  refused(({ stream, table }) => {
    const flown = stream(flights).toTable('flown')
    const carrier = (flight: Flight) => flight.carrier
    // @ts-expect-error a foreign key of another type
    flown.join(table(byNumber), carrier, (_, airline) => airline.name, 'a')
    // @ts-expect-error no name
    flown.join(table(airlines), carrier, (_, airline) => airline.name)
    const carriers = flown.mapValues(carrier)
    const same = (name: string) => name
    // @ts-expect-error the left values have no serde
    carriers.join(table(airlines), same, (_: string, airline: Airline) => airline.name, 'b')
    // @ts-expect-error a serde of something else
    flown.join(table(airlines), carrier, (_, airline) => airline.name, 'c', { result: json<number>() })
    // @ts-expect-error the other value may be absent
    flown.leftJoin(table(airlines), carrier, (_, airline) => airline.name, 'd')
  })
})

it('infers what joins with global and versioned tables give', () => {
  job('j', {}, ({ stream, table, globalTable }) => {
    const everywhere = globalTable(airlines)
    expectType<KStream<string | null, string, 'serde', 'no serde'>>()(
      stream(holed).join(
        everywhere,
        (value, key) => {
          expectType<number>()(value)
          expectType<string | null>()(key)
          return key
        },
        (_, airline) => airline.name,
      ),
    )
    stream(flights).leftJoin(
      everywhere,
      (flight) => flight.carrier,
      (_, airline) => expectType<Airline | null>()(airline),
    )
    const rates = table(counts, 'rates', { historyRetention: '1h' })
    expectType<KStream<string, number, 'serde', 'no serde'>>()(
      stream(numbers).join(rates, (value, rate) => value * rate, 'rated', { grace: '5m' }),
    )
    stream(numbers).leftJoin(
      rates.filter((rate) => rate > 0).mapValues((rate) => rate * 2),
      (value, rate) => value * (rate ?? 1),
      'rated-or-not',
      { grace: '5m' },
    )
    stream(flights)
      .mapValues((flight) => flight.distance)
      .join(rates, (value, rate) => value * rate, 'rated-distance', { grace: '5m', serde: json<number>() })
  })
  refused(({ stream, table, globalTable }) => {
    const rates = table(counts, 'rates', { historyRetention: '1h' })
    const product = (value: number, rate: number) => value * rate
    const byKey = (_: number, key: string) => key
    // @ts-expect-error the key of another type
    stream(numbers).join(globalTable(byNumber), byKey, (_: number, airline: Airline) => airline.name)
    // @ts-expect-error a global table is joined by a key that the records give
    stream(numbers).join(globalTable(airlines), (_, airline) => airline)
    // @ts-expect-error no name where records wait
    stream(numbers).join(rates, product, { grace: '5m' })
    const distances = stream(flights).mapValues(({ distance }) => distance)
    // @ts-expect-error the values that wait have no serde
    distances.join(rates, product, 'a', { grace: '5m' })
    // @ts-expect-error a table that has its latest rows only
    stream(numbers).join(table(airlines, 'named'), (value) => value, 'b', { grace: '5m' })
    const kept = rates.filter((rate) => rate > 0, 'kept')
    // @ts-expect-error kept in a store: its latest rows only
    stream(numbers).join(kept, product, 'c', { grace: '5m' })
    // @ts-expect-error a versioned table needs a name
    table(counts, { historyRetention: '1h' })
  })
})

it('makes versioned tables of streams', () => {
  job('j', {}, ({ stream }) => {
    const rates = stream(counts).toTable('rates', { historyRetention: '1h' })
    stream(numbers).join(rates, (value, rate) => value * rate, 'rated', { grace: '5m' })
    const distances = stream(flights).mapValues(({ distance }) => distance)
    distances.toTable('distances', { historyRetention: '1h', serde: json<number>() })
  })
  refused(({ stream }) => {
    const distances = stream(flights).mapValues(({ distance }) => distance)
    // @ts-expect-error the values have no serde
    distances.toTable('a', { historyRetention: '1h' })
    // @ts-expect-error a serde of something else
    distances.toTable('b', { historyRetention: '1h', serde: string() })
  })
})
