// biome-ignore-all format: each mistake is one line, so that the line is refused
import { type CogroupedKStream, calendar, calendarWindowed, hopping, json, type KStream, type KTable, max, mean, type SessionWindowedCogroup, session, sessionWindowed, sliding, string, type TimeWindowedCogroup, timeWindowed, topic, tumbling, type Windowed, type WindowedKTable } from 'tidemark'
import { it } from 'vitest'
import { expectType } from '../equal.ts'
import { byNumber, counts, type Flight, flights, holed, numbers } from '../topics.ts'
import { building } from './building.ts'

type Hourly<V, Deletes extends null = never> = WindowedKTable<string, V, Deletes, 'serde', Flight, 'serde'>

const day = calendar('day', { zone: 'Europe/Berlin' })

it('TimeWindowedKStream.count', () => building(({ stream }) => {
  const grouped = stream(flights).groupByKey()
  for (const windows of [tumbling('1h'), hopping('1h', { advance: '5m' }), day]) expectType<Hourly<number>>()(grouped.windowedBy(windows).count('n'))
  expectType<Hourly<number>>()(grouped.windowedBy(sliding('1h')).count('n', { emit: 'on-window-close', retention: '3h' }))
  expectType<void>()(grouped.windowedBy(day).count('n').to(topic('days', { key: calendarWindowed(string()), value: json<number>() })))
  // @ts-expect-error no name
  grouped.windowedBy(tumbling('1h')).count()
  // @ts-expect-error no such moment
  grouped.windowedBy(tumbling('1h')).count('n', { emit: 'on-close' })
  // @ts-expect-error a calendar has a zone
  grouped.windowedBy(calendar('day'))
  // @ts-expect-error no such unit
  grouped.windowedBy(calendar('hour', { zone: 'UTC' }))
  // @ts-expect-error days have keys with windows
  grouped.windowedBy(day).count('n').to(counts)
  // @ts-expect-error days of other keys
  grouped.windowedBy(day).count('n').to(topic('days', { key: calendarWindowed(json<number>()), value: json<number>() }))
}))

it('TimeWindowedKStream.reduce', () => building(({ stream }) => {
  expectType<Hourly<Flight>>()(stream(flights).groupByKey().windowedBy(tumbling('1h')).reduce('n', (_, flight) => flight))
  expectType<WindowedKTable<string, number, null, 'serde', number | null, 'serde'>>()(stream(holed).groupByKey().windowedBy(day).reduce('n', (sum, value) => value && sum + value))
  // @ts-expect-error no name
  stream(flights).groupByKey().windowedBy(tumbling('1h')).reduce((_, flight) => flight)
  // @ts-expect-error gives another type
  stream(flights).groupByKey().windowedBy(tumbling('1h')).reduce('n', (_, { distance }) => distance)
  // @ts-expect-error the value may be null
  stream(holed).groupByKey().windowedBy(tumbling('1h')).reduce('n', (sum, value) => sum + value)
  // @ts-expect-error the value has no serde
  stream(flights).mapValues(() => 'x').groupByKey().windowedBy(tumbling('1h')).reduce('n', (x) => x)
}))

it('TimeWindowedKStream.aggregate', () => building(({ stream }) => {
  const windowed = stream(flights).groupByKey().windowedBy(tumbling('1h'))
  expectType<WindowedKTable<string, number, null, 'no serde', Flight, 'serde'>>()(windowed.aggregate('n', mean(({ dep_delay }) => dep_delay)))
  expectType<Hourly<string>>()(windowed.aggregate('n', { init: () => '', add: (all, { carrier }) => all + carrier, serde: string() }))
  // @ts-expect-error no name
  windowed.aggregate(mean(({ distance }: Flight) => distance))
  // @ts-expect-error a text has no mean
  windowed.aggregate('n', mean(({ carrier }: Flight) => carrier))
  // @ts-expect-error no serde
  windowed.aggregate('n', { init: () => '', add: (all: string) => all })
  // @ts-expect-error the serde is one of other values
  windowed.aggregate('n', { init: () => '', add: (all: string) => all, serde: json<number>() })
}))

it('SessionWindowedKStream.count', () => building(({ stream }) => {
  const sessions = stream(flights).groupByKey().windowedBy(session('1h', { grace: '1m' }))
  expectType<Hourly<number, null>>()(sessions.count('n'))
  // @ts-expect-error no name
  sessions.count()
  // @ts-expect-error a session can be deleted, and the topic takes no null
  sessions.count('n').toStream().to(topic('visits', { key: sessionWindowed(string()), value: json<number>() }))
  // @ts-expect-error sessions have keys with windows
  sessions.count('n').to(counts)
}))

it('SessionWindowedKStream.reduce', () => building(({ stream }) => {
  const sessions = stream(flights).groupByKey().windowedBy(session('1h'))
  expectType<Hourly<Flight, null>>()(sessions.reduce('n', (_, flight) => flight))
  // @ts-expect-error no name
  sessions.reduce((_, flight) => flight)
  // @ts-expect-error gives another type
  sessions.reduce('n', (_, { distance }) => distance)
  // @ts-expect-error the value has no serde
  stream(flights).mapValues(() => 'x').groupByKey().windowedBy(session('1h')).reduce('n', (x) => x)
}))

it('SessionWindowedKStream.aggregate', () => building(({ stream }) => {
  const sessions = stream(flights).groupByKey().windowedBy(session('1h'))
  expectType<WindowedKTable<string, number, null, 'no serde', Flight, 'serde'>>()(sessions.aggregate('n', max(({ distance }) => distance)))
  // @ts-expect-error no merge
  sessions.aggregate('n', { init: () => 0, add: (n: number) => n + 1, serde: json<number>() })
  // @ts-expect-error no name
  sessions.aggregate(max(({ distance }: Flight) => distance))
  // @ts-expect-error merges into another type
  sessions.aggregate('n', { init: () => 0, add: (n: number) => n + 1, merge: () => 'x', serde: json<number>() })
}))

it('WindowedKTable.late', () => building(({ stream }) => {
  const hourly = stream(flights).groupByKey().windowedBy(tumbling('1h')).count('n')
  expectType<KStream<string, Flight>>()(hourly.late())
  expectType<KStream<string, readonly Windowed<string>[], 'serde', 'no serde'>>()(hourly.late((_flight, _key, missed) => missed))
  // @ts-expect-error the topic holds other values
  hourly.late().to(numbers)
  // @ts-expect-error only the table of the windows itself has late records
  hourly.filter(() => true).late()
  // @ts-expect-error late records may have no value
  stream(holed).groupByKey().windowedBy(tumbling('1h')).count('n').late().to(numbers)
}))

it('CogroupedKStream.cogroup', () => building(({ stream }) => {
  const first = stream(flights).groupByKey().cogroup((total: number, { distance }) => total + distance)
  expectType<CogroupedKStream<string, Flight | number, number, null>>()(first.cogroup(stream(numbers).groupByKey(), (total, n) => n > 5 ? null : total))
  // @ts-expect-error the aggregate is another
  first.cogroup(stream(numbers).groupByKey(), (all: string) => all)
  // @ts-expect-error gives another aggregate
  first.cogroup(stream(numbers).groupByKey(), () => 'x')
  // @ts-expect-error keys of another type
  first.cogroup(stream(byNumber).groupByKey(), (total) => total)
  // @ts-expect-error the stream is not grouped
  first.cogroup(stream(numbers), (total) => total)
  // @ts-expect-error the value may be null
  first.cogroup(stream(holed).groupByKey(), (total, value) => total + value)
}))

it('CogroupedKStream.aggregate', () => building(({ stream }) => {
  const cogrouped = stream(flights).groupByKey().cogroup((total: number, { distance }) => total + distance)
  expectType<KTable<string, number, never>>()(cogrouped.aggregate('n', { init: () => 0, serde: json<number>() }))
  expectType<KTable<string, string, null, 'serde', 'no serde'>>()(cogrouped.aggregate('n', { init: () => 0, serde: json<number>(), result: (total) => total > 5 ? `${total}` : null }))
  // @ts-expect-error no name
  cogrouped.aggregate({ init: () => 0, serde: json<number>() })
  // @ts-expect-error begins with another type
  cogrouped.aggregate('n', { init: () => 'x', serde: string() })
  // @ts-expect-error no serde
  cogrouped.aggregate('n', { init: () => 0 })
  // @ts-expect-error the serde is one of other values
  cogrouped.aggregate('n', { init: () => 0, serde: string() })
}))

it('CogroupedKStream.windowedBy', () => building(({ stream }) => {
  const cogrouped = stream(flights).groupByKey().cogroup((total: number, { distance }) => total + distance)
  expectType<TimeWindowedCogroup<string, Flight, number, never>>()(cogrouped.windowedBy(day))
  expectType<SessionWindowedCogroup<string, Flight, number>>()(cogrouped.windowedBy(session('1h')))
  // @ts-expect-error no windows
  cogrouped.windowedBy('1h')
  // @ts-expect-error windowed already
  cogrouped.windowedBy(day).windowedBy(day)
}))

it('TimeWindowedCogroup.aggregate', () => building(({ stream }) => {
  const windowed = stream(flights).groupByKey().cogroup((total: number, { distance }) => total + distance).windowedBy(tumbling('1h'))
  expectType<WindowedKTable<string, number, never, 'serde', Flight, 'no serde'>>()(windowed.aggregate('n', { init: () => 0, serde: json<number>() }, { retention: '3h' }))
  // @ts-expect-error no name
  windowed.aggregate({ init: () => 0, serde: json<number>() })
  // @ts-expect-error begins with another type
  windowed.aggregate('n', { init: () => 'x', serde: string() })
  // @ts-expect-error no serde
  windowed.aggregate('n', { init: () => 0 })
  // @ts-expect-error the keys of the topic have no window
  windowed.aggregate('n', { init: () => 0, serde: json<number>() }).to(counts)
}))

it('SessionWindowedCogroup.aggregate', () => building(({ stream }) => {
  const windowed = stream(flights).groupByKey().cogroup((total: number, { distance }) => total + distance).windowedBy(session('1h'))
  const merge = (one: number, two: number) => one + two
  expectType<WindowedKTable<string, number, null, 'serde', Flight, 'no serde'>>()(windowed.aggregate('n', { init: () => 0, merge, serde: json<number>() }))
  // @ts-expect-error no merge
  windowed.aggregate('n', { init: () => 0, serde: json<number>() })
  // @ts-expect-error no name
  windowed.aggregate({ init: () => 0, merge, serde: json<number>() })
  // @ts-expect-error begins with another type
  windowed.aggregate('n', { init: () => 'x', merge, serde: string() })
  // @ts-expect-error no serde
  windowed.aggregate('n', { init: () => 0, merge })
}))

it('types of windowed keys in topics', () => building(({ stream, table }) => {
  const hours = topic('hours', { key: timeWindowed(string(), '1h'), value: json<number>() })
  expectType<KStream<Windowed<string>, number>>()(stream(hours))
  expectType<KTable<Windowed<string>, number, null>>()(table(hours))
  // @ts-expect-error a windowed serde is one of keys
  timeWindowed('string', '1h')
  // @ts-expect-error no size
  timeWindowed(string())
  // @ts-expect-error a session is as long as it is
  sessionWindowed(string(), '1h')
}))
