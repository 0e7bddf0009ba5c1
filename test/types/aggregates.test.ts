import { type AggregateSpec, count, job, json, type KTable, max, mean, min, sum, tumbling } from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { airlines, type Flight, flights, holed } from './topics.ts'

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
