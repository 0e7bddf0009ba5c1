import {
  type CogroupedKStream,
  job,
  json,
  type KTable,
  session,
  tumbling,
  untilTimeLimit,
  untilWindowCloses,
  type Windowed,
  type WindowedKTable,
} from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { type Airline, airlines, counts, type Flight, flights, holed } from './topics.ts'

it('suppresses until windows close, or for a time, with a name and a serde', () => {
  job('j', {}, ({ stream, table }) => {
    const counted = stream(flights).groupByKey().windowedBy(session('1h')).count('n')
    const final = counted.suppress('final', untilWindowCloses())
    expectType<KTable<Windowed<string>, number, never>>()(final)
    const quiet = table(airlines, 'airlines').suppress(
      'quiet',
      untilTimeLimit('1m', { maxRecords: 5, whenFull: 'emit' }),
    )
    expectType<KTable<string, Airline, null>>()(quiet)
    counted.suppress('quiet-windows', untilTimeLimit('1m'))
    const mapped = counted.mapValues((n) => n * 2)
    mapped.suppress('mapped', untilWindowCloses(), json<number>())
    const wrong = () => {
      // @ts-expect-error the value's serde is missing
      mapped.suppress('no-serde', untilWindowCloses())
      // @ts-expect-error a plain table has no windows that close
      table(airlines, 'airlines').suppress('no-windows', untilWindowCloses())
      // @ts-expect-error what is held back is a store, with a name
      counted.suppress(untilWindowCloses())
      // @ts-expect-error final results are not let out early
      untilWindowCloses({ maxRecords: 5, whenFull: 'emit' })
      // @ts-expect-error a versioned table is not suppressed
      table(airlines, 'versions', { historyRetention: '1h' }).suppress('v', untilTimeLimit('1m'))
    }
    return wrong
  })
})

interface Totals {
  readonly flights: number
  readonly delay: number
}

it('infers what each stream of a cogroup adds', () => {
  job('j', {}, ({ stream }) => {
    const grouped = stream(flights)
      .groupByKey()
      .cogroup((totals: Totals, flight, key) => {
        expectType<Flight>()(flight)
        expectType<string>()(key)
        return { ...totals, flights: totals.flights + 1 }
      })
      .cogroup(stream(counts).groupByKey(), (totals, count) => {
        expectType<Totals>()(totals)
        expectType<number>()(count)
        return count > 5 ? null : totals
      })
    expectType<CogroupedKStream<string, Flight | number, Totals, null>>()(grouped)
    const spec = { init: (): Totals => ({ flights: 0, delay: 0 }), serde: json<Totals>() }
    expectType<KTable<string, Totals, null>>()(grouped.aggregate('totals', spec))
    const windowed = grouped.windowedBy(tumbling('1h')).aggregate('hours', spec)
    expectType<WindowedKTable<string, Totals, null, 'serde', Flight | number, 'no serde'>>()(windowed)
    const merge = (one: Totals, two: Totals) => ({ flights: one.flights + two.flights, delay: one.delay + two.delay })
    grouped.windowedBy(session('1h')).aggregate('visits', { ...spec, merge })
    const shown = grouped.aggregate('shown', { ...spec, result: ({ flights }) => flights })
    expectType<KTable<string, number, null, 'serde', 'no serde'>>()(shown)
    const wrong = () => {
      // @ts-expect-error sessions merge
      grouped.windowedBy(session('1h')).aggregate('no-merge', spec)
      // @ts-expect-error the accumulator is another
      grouped.cogroup(stream(counts).groupByKey(), (totals: number) => totals)
      const byDistance = stream(flights).groupBy((flight) => flight.distance, json<number>())
      // @ts-expect-error the keys are others
      grouped.cogroup(byDistance, (totals) => totals)
      // @ts-expect-error a store has a name
      grouped.aggregate(spec)
      // @ts-expect-error the initial value is another
      grouped.aggregate('wrong', { init: () => 0, serde: json<number>() })
    }
    return wrong
  })
})

it('lets an adder see null where the topic may hold it', () => {
  job('j', {}, ({ stream }) => {
    stream(holed)
      .groupByKey()
      .cogroup((total: number, value) => {
        expectType<number | null>()(value)
        return total
      })
  })
})
