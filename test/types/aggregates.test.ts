import {
  type AggregateSpec,
  approxDistinctCount,
  approxQuantiles,
  collect,
  count,
  distinctCount,
  first,
  job,
  json,
  type KTable,
  last,
  max,
  mean,
  min,
  session,
  string,
  sum,
  topK,
  tumbling,
  variance,
} from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { type Airline, airlines, type Flight, flights, holed } from './topics.ts'

const carrierOf = (flight: Flight): string => flight.carrier

interface Totals {
  readonly count: number
  readonly sum: number
}

it('infers ready aggregates from the stream', () => {
  job('j', {}, ({ stream }) => {
    const grouped = stream(flights).groupByKey()
    expectType<KTable<string, number, never>>()(grouped.aggregate('count', count()))
    expectType<KTable<string, number, never>>()(
      grouped.aggregate(
        'sum',
        sum((flight) => flight.distance),
      ),
    )
    expectType<KTable<string, number, never>>()(
      grouped.aggregate(
        'sums',
        sum((flight) => flight.dep_delay),
      ),
    )
    expectType<KTable<string, number | bigint, never>>()(
      grouped.aggregate(
        'exact',
        sum((flight) => BigInt(flight.distance)),
      ),
    )
    expectType<KTable<string, number, never, 'serde', 'no serde'>>()(
      grouped.aggregate(
        'mean',
        mean((flight) => flight.distance),
      ),
    )
    expectType<KTable<string, number, null, 'serde', 'no serde'>>()(
      grouped.aggregate(
        'mean-or-nothing',
        mean((flight) => flight.dep_delay),
      ),
    )
    expectType<KTable<string, number, never, 'serde', 'no serde'>>()(
      grouped.aggregate(
        'min',
        min((flight, key) => flight.distance + key.length),
      ),
    )
    expectType<KTable<string, number, null, 'serde', 'no serde'>>()(
      grouped.aggregate(
        'max',
        max((flight) => flight.dep_delay),
      ),
    )
    // @ts-expect-error there is no such field
    const wrong = () => sum((flight) => flight.delay) satisfies AggregateSpec<string, Flight, number>
    // @ts-expect-error a text has no mean
    const text = () => grouped.aggregate('t', mean(carrierOf))
    return [wrong, text]
  })
})

it('infers an aggregate of your own', () => {
  job('j', {}, ({ stream }) => {
    const grouped = stream(flights).groupByKey()
    const totals = grouped.aggregate('totals', {
      init: () => ({ count: 0, sum: 0 }),
      add: (totals, flight, key) => {
        expectType<string>()(key)
        return { count: totals.count + 1, sum: totals.sum + flight.distance }
      },
      serde: json<Totals>(),
    })
    expectType<KTable<string, Totals, never>>()(totals)
    const shown = grouped.aggregate('shown', {
      init: () => ({ count: 0, sum: 0 }),
      add: (totals, flight) => ({ count: totals.count + 1, sum: totals.sum + flight.distance }),
      result: (totals) => (totals.count > 1 ? `${totals.sum}` : null),
      serde: json<Totals>(),
    })
    expectType<KTable<string, string, null, 'serde', 'no serde'>>()(shown)
    const deleted = grouped.aggregate('deleted', {
      init: () => 100,
      add: (left, flight) => (flight.distance > left ? null : left - flight.distance),
      serde: json<number>(),
    })
    expectType<KTable<string, number, null>>()(deleted)
    const wrong = () => {
      // @ts-expect-error a store has a serde
      grouped.aggregate('no-serde', { init: () => 0, add: (total: number) => total })
      // @ts-expect-error what is added is of another type
      grouped.aggregate('other', { init: () => 0, add: () => 'one', serde: json<number>() })
    }
    return wrong
  })
})

it('asks for undo where a table is regrouped', () => {
  job('j', {}, ({ table }) => {
    const grouped = table(airlines).groupBy(({ name }, key) => [key, name.length], json<string>())
    expectType<KTable<string, number, never>>()(
      grouped.aggregate(
        'sum',
        sum((length) => length),
      ),
    )
    expectType<KTable<string, Totals, null>>()(
      grouped.aggregate('totals', {
        init: () => ({ count: 0, sum: 0 }),
        add: (totals, length) => ({ count: totals.count + 1, sum: totals.sum + length }),
        undo: (totals, length) => (totals.count === 1 ? null : { count: totals.count - 1, sum: totals.sum - length }),
        serde: json<Totals>(),
      }),
    )
    const wrong = () => {
      const shortest = min((length: number) => length)
      // @ts-expect-error the smallest of the rest is not known
      grouped.aggregate('min', shortest)
      const totals = { init: () => 0, add: (total: number, length: number) => total + length, serde: json<number>() }
      // @ts-expect-error there is no undo
      grouped.aggregate('no-undo', totals)
    }
    return wrong
  })
})

it('shows null values to windowed aggregates alone', () => {
  job('j', {}, ({ stream }) => {
    const grouped = stream(holed).groupByKey()
    grouped.aggregate(
      'plain',
      sum((value) => value),
    )
    grouped.windowedBy(tumbling('1h')).aggregate(
      'windowed',
      mean((value) => value),
    )
    const total = (value: number): number => value
    grouped.aggregate('plain-2', sum(total))
    // @ts-expect-error the value may be null
    const wrong = () => grouped.windowedBy(tumbling('1h')).aggregate('windowed-2', sum(total))
    return wrong
  })
})

it('infers the results of the other ready aggregates', () => {
  job('j', {}, ({ stream, table }) => {
    const grouped = stream(flights).groupByKey()
    type Shown<R, Deletes extends null> = KTable<string, R, Deletes, 'serde', 'no serde'>
    const delayed = (flight: Flight) => flight.dep_delay
    expectType<Shown<string, never>>()(grouped.aggregate('first', first(carrierOf)))
    expectType<Shown<number, null>>()(grouped.aggregate('last', last(delayed)))
    expectType<Shown<number, null>>()(grouped.aggregate('variance', variance(delayed)))
    expectType<Shown<readonly number[], never>>()(grouped.aggregate('top', topK(3, delayed)))
    expectType<Shown<readonly string[], never>>()(grouped.aggregate('tops', topK(3, delayed, carrierOf)))
    expectType<KTable<string, readonly number[], never>>()(grouped.aggregate('list', collect(3, delayed)))
    expectType<Shown<number, never>>()(grouped.aggregate('distinct', distinctCount(carrierOf)))
    expectType<Shown<number, never>>()(grouped.aggregate('about', approxDistinctCount(carrierOf, { error: 0.1 })))
    const far = approxQuantiles(({ distance }: Flight) => distance, { median: 0.5, p99: 0.99 })
    expectType<Shown<{ readonly median: number; readonly p99: number }, never>>()(grouped.aggregate('far', far))
    const late = approxQuantiles(delayed, { p99: 0.99 })
    expectType<Shown<{ readonly p99: number }, null>>()(grouped.aggregate('late', late))
    grouped.windowedBy(session('1h')).aggregate('sessions', far)
    const airlineOf = table(airlines).groupBy((airline) => [airline.name, airline], string())
    airlineOf.aggregate(
      'names',
      distinctCount((airline) => airline.name),
    )
    const wrong = () => {
      // @ts-expect-error a text has no variance
      grouped.aggregate('v', variance(carrierOf))
      const itself = (flight: Flight) => flight
      // @ts-expect-error an object has no text that tells it from others
      grouped.aggregate('d', distinctCount(itself))
      const name = (airline: Airline) => airline.name
      // @ts-expect-error the first value cannot be taken back
      airlineOf.aggregate('f', first(name))
      // @ts-expect-error there is no such policy
      collect(3, carrierOf, { whenFull: 'drop' })
      // @ts-expect-error quantiles have names
      approxQuantiles(delayed, [0.5])
    }
    return wrong
  })
})
