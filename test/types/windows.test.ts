import { hopping, job, json, type KStream, string, topic, tumbling, type Windowed, type WindowedKTable } from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { airlines, counts, type Flight, flights, holed } from './topics.ts'

it('keys a windowed table by key and window', () => {
  job('j', {}, ({ stream }) => {
    const windowed = stream(flights)
      .groupByKey()
      .windowedBy(hopping('1h', { advance: '5m' }))
    const counted = windowed.count('n', { emit: 'on-window-close', retention: '2h' })
    expectType<WindowedKTable<string, number, never, 'serde', Flight, 'serde'>>()(counted)
    counted.toStream().peek((value, { key, start, end }) => {
      expectType<number>()(value)
      expectType<string>()(key)
      expectType<number>()(start)
      expectType<number>()(end)
    })
    counted.to(topic('windows', { key: json<Windowed<string>>(), value: json<number>() }))
    expectType<KStream<string, Flight>>()(counted.late())
    expectType<KStream<string, number, 'serde', 'no serde'>>()(counted.late((_flight, _key, missed) => missed.length))
    counted.late((flight, key, missed) => {
      expectType<Flight>()(flight)
      expectType<string>()(key)
      expectType<readonly Windowed<string>[]>()(missed)
      return missed
    })
    const wrong = () => {
      // @ts-expect-error the topic's keys have no window
      counted.to(counts)
      // @ts-expect-error a windowed table is not looked up by key
      stream(flights).join(counted, (flight) => flight)
      // @ts-expect-error there is no such moment
      windowed.count('n', { emit: 'on-close' })
      // @ts-expect-error a store has a name
      windowed.count({ emit: 'on-window-close' })
      // @ts-expect-error a plain table has no late records
      stream(flights).groupByKey().count('plain').late()
    }
    return wrong
  })
})

it('takes options beside a serde, or without one', () => {
  job('j', {}, ({ stream }) => {
    const known = stream(flights).groupByKey().windowedBy(tumbling('1h'))
    known.reduce('a', (_, flight) => flight)
    known.reduce('b', (_, flight) => flight, { emit: 'on-update' })
    known.reduce('c', (_, flight) => flight, json<Flight>(), { emit: 'on-update' })
    const unknown = stream(flights)
      .mapValues(({ carrier }) => carrier)
      .groupByKey()
      .windowedBy(tumbling('1h'))
    unknown.reduce('d', (_, carrier) => carrier, string())
    unknown.reduce('e', (_, carrier) => carrier, string(), { retention: '3h' })
    const wrong = () => {
      // @ts-expect-error the value's serde is missing
      unknown.reduce('f', (_, carrier) => carrier)
      // @ts-expect-error the value's serde is missing
      unknown.reduce('g', (_, carrier) => carrier, { emit: 'on-update' })
    }
    return wrong
  })
})

it('lets late records carry null where the topic does', () => {
  job('j', {}, ({ stream }) => {
    const late = stream(holed).groupByKey().windowedBy(tumbling('1h')).count('n').late()
    expectType<KStream<string, number | null>>()(late)
    // @ts-expect-error late records may have no value
    const wrong = () => late.to(counts)
    return [wrong, airlines]
  })
})
