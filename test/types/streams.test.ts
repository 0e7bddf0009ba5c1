import { job, json, type KStream, string, topic } from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { type Flight, flights, holed, numbers } from './topics.ts'

it('gives callbacks the types of the topic, and null where it may hold null', () => {
  job('j', {}, ({ stream }) => {
    stream(flights).peek((value, key) => {
      expectType<Flight>()(value)
      expectType<string>()(key)
    })
    stream(holed).peek((value, key) => {
      expectType<number | null>()(value)
      expectType<string | null>()(key)
    })
    // @ts-expect-error the value may be null
    stream(holed).mapValues((value) => value + 1)
    stream(numbers).mapValues((value) => value + 1)
  })
})

it('infers what each step makes', () => {
  job('j', {}, ({ stream }) => {
    const one = stream(flights)
    expectType<KStream<string, Flight>>()(one.filter((flight) => flight.distance > 0))
    expectType<KStream<string, Flight>>()(one.filterNot((flight) => flight.distance > 0))
    expectType<KStream<string, number, 'serde', 'no serde'>>()(one.mapValues((flight) => flight.distance))
    expectType<KStream<string, number, 'serde', 'no serde'>>()(one.flatMapValues((flight) => [flight.distance]))
    expectType<KStream<number, string, 'no serde', 'no serde'>>()(one.map(({ distance }, key) => [distance, key]))
    expectType<KStream<number, string, 'serde', 'no serde'>>()(
      one.map(({ distance }, key) => [distance, key], json<number>()),
    )
    expectType<KStream<string, Flight, 'no serde'>>()(one.selectKey(({ carrier }) => carrier))
    expectType<KStream<string, Flight>>()(one.selectKey(({ carrier }) => carrier, string()))
    expectType<KStream<string | null, Flight>>()(
      one.selectKey(({ carrier, dep_delay }) => (dep_delay === null ? null : carrier), string()),
    )
    expectType<KStream<string, Flight>>()(one.selectKey(({ distance }) => (distance > 9 ? 'far' : 'near'), string()))
    expectType<KStream<string, string, 'serde', 'no serde'>>()(
      one.flatMap(({ carrier }, key) => [[carrier, key] as const], string()),
    )
    expectType<KStream<string | null, number | Flight | null>>()(one.merge(stream(holed)))
    expectType<KStream<string | null, number>>()(stream(holed).filter((value) => value !== null))
  })
})

it('asks for a serde at a new key, and nowhere else', () => {
  job('j', {}, ({ stream }) => {
    stream(flights).groupByKey().count('by-topic-key')
    const rekeyed = stream(flights).selectKey((flight) => flight.carrier)
    rekeyed.groupByKey(string()).count('given-late')
    stream(flights)
      .selectKey((flight) => flight.carrier, string())
      .groupByKey()
      .count('given-early')
    rekeyed.to(flights2)
    // @ts-expect-error the key's serde is missing
    const grouped = () => rekeyed.groupByKey()
    // @ts-expect-error the key's serde is missing
    const table = () => rekeyed.toTable('t')
    // @ts-expect-error the key's serde is missing
    const regrouped = () => stream(flights).groupBy((flight) => flight.carrier)
    // @ts-expect-error the serde writes numbers, the key is a text
    const wrong = () => stream(flights).groupBy((flight) => flight.carrier, json<number>())
    // @ts-expect-error the serde writes texts alone, the key may be a number
    const partly = () => stream(flights).selectKey((flight) => flight.dep_delay ?? flight.carrier, string())
    return [grouped, table, regrouped, wrong, partly]
  })
})

const flights2 = topic('flights-2', { key: string(), value: json<Flight>() })

it('lets only what fits into a topic', () => {
  const strict = topic('strict', { key: string(), value: json<number>() })
  const wide = topic('wide', { key: string(), value: json<number | string>(), nullKey: true, nullValue: true })
  job('j', {}, ({ stream }) => {
    stream(numbers).to(strict)
    stream(numbers).to(wide)
    stream(holed).to(wide)
    const wrong = () => {
      // @ts-expect-error the topic takes no null
      stream(holed).to(strict)
      // @ts-expect-error the topic takes numbers
      stream(flights).to(strict)
      const byNumber = stream(numbers).selectKey((value) => value)
      // @ts-expect-error the topic takes texts as keys
      byNumber.to(strict)
      const nothing = stream(numbers).mapValues(() => {})
      // @ts-expect-error a callback without return
      nothing.to(strict)
    }
    return wrong
  })
})

it('checks extractors against the topic', () => {
  topic('t', { key: string(), value: json<Flight>(), timestamp: { field: 'time_hour' } })
  topic('t', { key: string(), value: json<Flight>(), timestamp: { field: 'dep_delay' } })
  topic('t', {
    key: string(),
    value: json<Flight>(),
    timestamp: (record, partitionTime) => {
      expectType<Flight | null>()(record.value)
      expectType<string | null>()(record.key)
      return partitionTime
    },
  })
  // @ts-expect-error there is no such field
  topic('t', { key: string(), value: json<Flight>(), timestamp: { field: 'hour' } })
  // @ts-expect-error the field holds no time
  topic('t', { key: string(), value: json<{ gone: boolean }>(), timestamp: { field: 'gone' } })
  // @ts-expect-error a time is a number
  topic('t', { key: string(), value: json<Flight>(), timestamp: () => 'today' })
})
