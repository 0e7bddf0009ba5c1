import {
  calendar,
  calendarWindowed,
  count,
  job,
  json,
  type KStream,
  last,
  session,
  sessionWindowed,
  sliding,
  string,
  sum,
  timeWindowed,
  topic,
  tumbling,
  type Windowed,
  type WindowedKTable,
} from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { type Flight, flights, holed } from './topics.ts'

it('infers sessions, which can always be deleted and have to merge', () => {
  job('j', {}, ({ stream }) => {
    const sessions = stream(flights)
      .groupByKey()
      .windowedBy(session('30m', { grace: '1h' }))
    const counted = sessions.count('n', { emit: 'on-window-close' })
    expectType<WindowedKTable<string, number, null, 'serde', Flight, 'serde'>>()(counted)
    expectType<KStream<Windowed<string>, number | null>>()(counted.toStream())
    const log = sessions.aggregate('log', {
      init: () => [],
      add: (list: readonly string[], flight, key) => {
        expectType<Flight>()(flight)
        expectType<string>()(key)
        return [...list, flight.carrier]
      },
      merge: (one, two) => {
        expectType<readonly string[]>()(one)
        return [...one, ...two]
      },
      serde: json<readonly string[]>(),
    })
    expectType<WindowedKTable<string, readonly string[], null, 'serde', Flight, 'serde'>>()(log)
    sessions.aggregate('ready', count())
    sessions.aggregate(
      'sum',
      sum((flight) => flight.distance),
    )
    sessions.aggregate(
      'last',
      last((flight) => flight.carrier),
    )
    sessions.reduce('reduced', (_, flight) => flight)
    const wrong = () => {
      // @ts-expect-error sessions merge: the aggregate cannot
      sessions.aggregate('no-merge', { init: () => 0, add: (n: number) => n + 1, serde: json<number>() })
      // @ts-expect-error a store has a name
      sessions.count()
      // @ts-expect-error sessions have no size
      session({ gap: '30m' })
      // @ts-expect-error a session can be deleted: its stream has records without value
      counted.toStream().to(topic('counts', { key: sessionWindowed(string()), value: json<number>() }))
    }
    return wrong
  })
})

it('shows null values to sessions and tumbling windows, and not to sliding ones', () => {
  job('j', {}, ({ stream }) => {
    const grouped = stream(holed).groupByKey()
    grouped.windowedBy(session('1h')).reduce('s', (one, value) => {
      expectType<number | null>()(value)
      return one
    })
    grouped.windowedBy(calendar('day', { zone: 'Europe/Berlin' })).reduce('c', (one, value) => {
      expectType<number | null>()(value)
      return one
    })
    const slid = grouped.windowedBy(sliding('1h')).reduce('l', (one, value) => {
      expectType<number>()(value)
      return one + value
    })
    expectType<WindowedKTable<string, number, never, 'serde', number, 'serde'>>()(slid)
    const wrong = () => {
      // @ts-expect-error a calendar is one of a zone
      calendar('day')
      // @ts-expect-error there are no such windows
      calendar('year', { zone: 'UTC' })
    }
    return wrong
  })
})

it('types the keys of windowed topics', () => {
  job('j', {}, ({ stream, table }) => {
    const counted = stream(flights).groupByKey().windowedBy(tumbling('1h')).count('n')
    counted.to(topic('hours', { key: timeWindowed(string(), '1h'), value: json<number>() }))
    counted.to(topic('days', { key: calendarWindowed(string()), value: json<number>() }))
    const read = table(topic('read', { key: timeWindowed(string(), '1h'), value: json<number>() }))
    read.toStream().peek((_, { key, start, end }) => {
      expectType<string>()(key)
      expectType<number>()(start)
      expectType<number>()(end)
    })
    // keys with windows are known in bytes: they can be grouped, kept and joined without saying how
    counted.filter((n) => n > 1, 'kept')
    counted.toStream().groupByKey().count('by-window')
    counted.join(read, (one, other) => {
      expectType<number>()(one)
      expectType<number>()(other)
      return one + other
    })
    const wrong = () => {
      // @ts-expect-error the topic's keys have another inner key
      counted.to(topic('wrong', { key: timeWindowed(json<number>(), '1h'), value: json<number>() }))
      // @ts-expect-error the topic's keys have no window
      counted.to(topic('plain', { key: string(), value: json<number>() }))
      // @ts-expect-error a windowed table is not looked up by a plain key
      stream(flights).join(counted, (flight) => flight)
    }
    return wrong
  })
})
