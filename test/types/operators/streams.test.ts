// biome-ignore-all format: each mistake is one line, so that the line is refused
import { type BranchedKStream, type CogroupedKStream, type Forward, type ForwardValue, type GlobalKTable, joinWindows, json, type KGroupedStream, type KStream, type KTable, keyValueStore, session, sliding, string, type TimeWindowedKStream, timeWindowed, topic, tumbling } from 'tidemark'
import { it } from 'vitest'
import { expectType } from '../equal.ts'
import { type Airline, airlines, byNumber, counts, type Flight, flights, holed, numbers } from '../topics.ts'
import { building } from './building.ts'

const hour = joinWindows('1h')
const byHour = topic('by-hour', { key: timeWindowed(string(), '1h'), value: json<number>() })

it('JobBuilder.stream', () => building(({ stream }) => {
  expectType<KStream<string, Flight>>()(stream(flights))
  expectType<KStream<string | null, number | null>>()(stream(holed))
  // @ts-expect-error no topic
  stream('flights')
  // @ts-expect-error one topic
  stream([flights, airlines])
}))

it('JobBuilder.table', () => building(({ table }) => {
  expectType<KTable<string, Airline, null>>()(table(airlines))
  expectType<KTable<string, number, null>>()(table(holed, 'named'))
  expectType<KTable<string, number, null, 'serde', 'serde', 'versions'>>()(table(counts, 'v', { historyRetention: '1h' }))
  // @ts-expect-error a history is kept under a name
  table(counts, { historyRetention: '1h' })
  // @ts-expect-error no length of time
  table(counts, 'v', { historyRetention: 'long' as unknown as Date })
}))

it('JobBuilder.globalTable', () => building(({ globalTable }) => {
  expectType<GlobalKTable<string, Airline>>()(globalTable(airlines))
  // @ts-expect-error a global table has no steps
  globalTable(airlines).filter(() => true)
  // @ts-expect-error no history
  globalTable(airlines, 'v', { historyRetention: '1h' })
}))

it('KStream.filter', () => building(({ stream }) => {
  expectType<KStream<string | null, number>>()(stream(holed).filter((value) => value !== null))
  // @ts-expect-error the value may be null
  stream(holed).filter((value) => value > 5)
  // @ts-expect-error a text is no condition
  stream(flights).filter((flight) => flight.carrier)
}))

it('KStream.filterNot', () => building(({ stream }) => {
  expectType<KStream<string, Flight>>()(stream(flights).filterNot(({ distance }) => distance > 9))
  // @ts-expect-error there is no such field
  stream(flights).filterNot(({ length }) => length > 9)
}))

it('KStream.map', () => building(({ stream }) => {
  expectType<KStream<string, number, 'serde', 'no serde'>>()(stream(flights).map((flight) => [flight.carrier, flight.distance], string()))
  expectType<KStream<number | null, string, 'serde', 'no serde'>>()(stream(flights).map((flight, key) => [flight.dep_delay, key], json<number>()))
  // @ts-expect-error no pair
  stream(flights).map((flight) => flight)
  // @ts-expect-error the new key has no serde
  stream(flights).map((flight) => [flight.carrier, 1]).groupByKey()
  // @ts-expect-error the serde is one of other keys
  stream(flights).map((flight) => [flight.distance, 1], string())
}))

it('KStream.mapValues', () => building(({ stream }) => {
  expectType<KStream<string, number, 'serde', 'no serde'>>()(stream(flights).mapValues(({ distance }) => distance))
  // @ts-expect-error the value may be null
  stream(holed).mapValues((value) => value.toFixed())
  // @ts-expect-error the new value has no serde
  stream(flights).mapValues(({ distance }) => distance).toTable('t')
  // @ts-expect-error the topic takes no null
  stream(flights).mapValues(({ dep_delay }) => dep_delay).to(numbers)
}))

it('KStream.flatMap', () => building(({ stream }) => {
  expectType<KStream<string, number, 'no serde', 'no serde'>>()(stream(flights).flatMap((flight) => [[flight.carrier, 1]] as [string, number][]))
  // @ts-expect-error nothing to iterate
  stream(flights).flatMap(({ distance }) => distance)
  // @ts-expect-error the new key has no serde
  stream(flights).flatMap((flight) => [[flight.carrier, 1] as const]).groupByKey()
}))

it('KStream.flatMapValues', () => building(({ stream }) => {
  expectType<KStream<string, string, 'serde', 'no serde'>>()(stream(flights).flatMapValues(({ carrier }) => [...carrier]))
  // @ts-expect-error nothing to iterate
  stream(flights).flatMapValues(({ distance }) => distance)
}))

it('KStream.selectKey', () => building(({ stream }) => {
  expectType<KStream<number, Flight, 'no serde'>>()(stream(flights).selectKey(({ distance }) => distance))
  expectType<KStream<number | null, Flight>>()(stream(flights).selectKey(({ dep_delay }) => dep_delay, json<number>()))
  // @ts-expect-error the new key has no serde
  stream(flights).selectKey(({ carrier }) => carrier).groupByKey()
  // @ts-expect-error the serde is one of other keys
  stream(flights).selectKey(({ distance }) => distance, string())
  // @ts-expect-error the topic takes other keys
  stream(numbers).selectKey((value) => value).to(counts)
}))

it('KStream.peek', () => building(({ stream }) => {
  expectType<KStream<string, Flight>>()(stream(flights).peek((flight, key) => expectType<{ flight: Flight; key: string }>()({ flight, key })))
  // @ts-expect-error there is no such field
  stream(flights).peek(({ length }) => length)
}))

it('KStream.merge', () => building(({ stream }) => {
  expectType<KStream<string | number, Flight | Airline>>()(stream(flights).merge(stream(byNumber)))
  // @ts-expect-error a serde of the keys of both is not known
  stream(flights).merge(stream(byNumber).selectKey(() => 5)).groupByKey()
  // @ts-expect-error a table is no stream
  stream(flights).merge(airlines)
}))

it('KStream.groupByKey', () => building(({ stream }) => {
  expectType<KGroupedStream<string, Flight>>()(stream(flights).groupByKey())
  expectType<KGroupedStream<string, number | null>>()(stream(holed).groupByKey())
  const rekeyed = stream(flights).selectKey(({ distance }) => distance)
  expectType<KGroupedStream<number, Flight>>()(rekeyed.groupByKey(json<number>()))
  // @ts-expect-error the new key has no serde
  rekeyed.groupByKey()
  // @ts-expect-error the serde is one of other keys
  rekeyed.groupByKey(string())
}))

it('KStream.groupBy', () => building(({ stream }) => {
  expectType<KGroupedStream<number, Flight>>()(stream(flights).groupBy(({ dep_delay }) => dep_delay, json<number>()))
  // @ts-expect-error the new key has no serde
  stream(flights).groupBy(({ carrier }) => carrier)
  // @ts-expect-error the serde is one of other keys
  stream(flights).groupBy(({ distance }) => distance, string())
}))

it('KStream.toTable', () => building(({ stream }) => {
  expectType<KTable<string, Flight, null>>()(stream(flights).toTable('t'))
  expectType<KTable<string, number, null>>()(stream(holed).toTable('t'))
  const mapped = stream(flights).mapValues(({ carrier }) => carrier)
  expectType<KTable<string, string, null, 'serde', 'serde', 'versions'>>()(mapped.toTable('t', { serde: string(), historyRetention: '1h' }))
  // @ts-expect-error no name
  stream(flights).toTable()
  // @ts-expect-error the value has no serde
  mapped.toTable('t')
  // @ts-expect-error the serde is one of other values
  mapped.toTable('t', json<number>())
  // @ts-expect-error the key has no serde
  stream(flights).selectKey(({ carrier }) => carrier).toTable('t')
}))

it('KStream.join', () => building(({ stream, table, globalTable }) => {
  expectType<KStream<string, string, 'serde', 'no serde'>>()(stream(flights).join(table(airlines), (flight, { name }) => flight.carrier + name))
  expectType<KStream<string, string, 'serde', 'no serde'>>()(stream(flights).join(globalTable(airlines), ({ carrier }) => carrier, (_, { name }) => name))
  expectType<KStream<string, number, 'serde', 'no serde'>>()(stream(flights).join(stream(numbers), ({ distance }, number) => distance + number, hour, 'n'))
  // @ts-expect-error the table has keys of another type
  stream(flights).join(table(byNumber), (flight) => flight)
  // @ts-expect-error the stream has keys of another type
  stream(flights).join(stream(byNumber), (flight) => flight, hour, 'n')
  // @ts-expect-error the global table has keys of another type
  stream(flights).join(globalTable(byNumber), ({ carrier }) => carrier, (flight) => flight)
  // @ts-expect-error no name
  stream(flights).join(stream(numbers), (flight) => flight, hour)
  // @ts-expect-error no serde for what is kept
  stream(flights).mapValues(() => 'x').join(stream(numbers), (x) => x, hour, 'n')
  // @ts-expect-error a windowed table is not looked up by a plain key
  stream(flights).join(stream(numbers).groupByKey().windowedBy(tumbling('1h')).count('n'), (flight) => flight)
}))

it('KStream.leftJoin', () => building(({ stream, table, globalTable }) => {
  expectType<KStream<string, string | null, 'serde', 'no serde'>>()(stream(flights).leftJoin(table(airlines), (_, airline) => airline?.name ?? null))
  expectType<KStream<string | null, number, 'serde', 'no serde'>>()(stream(holed).leftJoin(stream(numbers), (one, other) => one + (other ?? 0), hour, 'n'))
  // @ts-expect-error the airline may be missing
  stream(flights).leftJoin(table(airlines), (_, airline) => airline.name)
  // @ts-expect-error the global table's value may be missing
  stream(flights).leftJoin(globalTable(airlines), ({ carrier }) => carrier, (_, airline) => airline.name)
  // @ts-expect-error the table has keys of another type
  stream(flights).leftJoin(table(byNumber), (flight) => flight)
  // @ts-expect-error the key of a global table is of another type
  stream(flights).leftJoin(globalTable(airlines), ({ distance }) => distance, (flight) => flight)
  // @ts-expect-error no name
  stream(flights).leftJoin(stream(numbers), (flight) => flight, hour)
}))

it('KStream.outerJoin', () => building(({ stream, table }) => {
  expectType<KStream<string, number, 'serde', 'no serde'>>()(stream(flights).outerJoin(stream(numbers), (flight, number) => flight?.distance ?? number ?? 0, hour, 'n'))
  // @ts-expect-error the flight may be missing
  stream(flights).outerJoin(stream(numbers), (flight) => flight.distance, hour, 'n')
  // @ts-expect-error no name
  stream(flights).outerJoin(stream(numbers), () => 1, hour)
  // @ts-expect-error keys of another type
  stream(flights).outerJoin(stream(byNumber), () => 1, hour, 'n')
  // @ts-expect-error no outer join with tables, as in Kafka Streams
  stream(flights).outerJoin(table(airlines), () => 1)
}))

it('KStream.split', () => building(({ stream }) => {
  expectType<BranchedKStream<string, Flight, 'serde', 'serde', unknown>>()(stream(flights).split())
  // @ts-expect-error a split has branches, and is no stream
  stream(flights).split().to(flights)
}))

it('BranchedKStream.branch', () => building(({ stream }) => {
  const { empty, rest } = stream(holed).split().branch('empty', (value) => value === null).defaultBranch('rest')
  expectType<KStream<string | null, null>>()(empty)
  expectType<KStream<string | null, number>>()(rest)
  // @ts-expect-error two branches of one name
  stream(flights).split().branch('a', () => true).branch('a', () => true)
  // @ts-expect-error no name
  stream(flights).split().branch(() => true)
  // @ts-expect-error no condition
  stream(flights).split().branch('a', ({ carrier }) => carrier)
}))

it('BranchedKStream.defaultBranch', () => building(({ stream }) => {
  const branches = stream(flights).split().branch('a', () => true).defaultBranch('b')
  expectType<KStream<string, Flight>>()(branches.b)
  // @ts-expect-error there is no such branch
  branches.c
  // @ts-expect-error the name is taken
  stream(flights).split().branch('a', () => true).defaultBranch('a')
  // @ts-expect-error no name
  stream(flights).split().branch('a', () => true).defaultBranch()
}))

it('BranchedKStream.noDefaultBranch', () => building(({ stream }) => {
  const branches = stream(flights).split().branch('a', () => true).noDefaultBranch()
  expectType<KStream<string, Flight>>()(branches.a)
  // @ts-expect-error there is no such branch
  branches.b
  // @ts-expect-error the branches end here
  branches.branch('c', () => true)
}))

it('KStream.repartition', () => building(({ stream }) => {
  const rekeyed = stream(flights).selectKey(({ distance }) => distance)
  expectType<KStream<number, Flight>>()(rekeyed.repartition('r', { key: json<number>() }))
  // @ts-expect-error no name
  stream(flights).repartition()
  // @ts-expect-error the new key has no serde
  rekeyed.repartition('r')
  // @ts-expect-error the serde is one of other keys
  rekeyed.repartition('r', { key: string() })
  // @ts-expect-error the serde is one of other values
  stream(flights).repartition('r', { value: json<number>() })
}))

it('KStream.process', () => building(({ stream }) => {
  const stores = { sums: keyValueStore(string(), json<number>()) }
  const summed = stream(flights).process('p', { stores, key: string(), value: json<number>() }, ({ stores: { sums } }, forward) => ({ key, value }) => {
    expectType<{ key: string; value: Flight }>()({ key, value })
    forward({ key, value: sums.get(key) ?? value.distance })
  })
  expectType<KStream<string, number>>()(summed)
  // @ts-expect-error no name
  stream(flights).process({ stores }, () => () => {})
  // @ts-expect-error the store is not declared
  stream(flights).process('p', ({ stores: { sums } }) => () => sums)
  // @ts-expect-error another store than the declared one
  stream(flights).process('p', { stores }, ({ stores: { other } }) => () => other)
  // @ts-expect-error the store holds numbers
  stream(flights).process('p', { stores }, (context) => ({ key }) => context.stores.sums.put(key, 'x'))
  // @ts-expect-error what is forwarded does not fit the serde
  stream(flights).process('p', { key: string(), value: json<number>() }, (_, forward) => ({ key }) => forward({ key, value: 'x' }))
  // @ts-expect-error the forwarded key has no serde
  stream(flights).process('p', (_, forward: Forward<string, number>) => ({ key }) => forward({ key, value: 1 })).groupByKey()
}))

it('KStream.processValues', () => building(({ stream }) => {
  expectType<KStream<string, number>>()(stream(flights).processValues('p', { value: json<number>() }, (_, forward) => ({ value }) => forward({ value: value.distance })))
  // @ts-expect-error no name
  stream(flights).processValues(() => () => {})
  // @ts-expect-error the key stays
  stream(flights).processValues('p', (_, forward: ForwardValue<number>) => () => forward({ key: 'x', value: 1 }))
  // @ts-expect-error the store is not declared
  stream(flights).processValues('p', { value: json<number>() }, ({ stores: { sums } }) => () => sums)
}))

it('KStream.foreach', () => building(({ stream }) => {
  expectType<void>()(stream(flights).foreach((flight, key) => expectType<{ flight: Flight; key: string }>()({ flight, key })))
  // @ts-expect-error the value may be null
  stream(holed).foreach((value) => value.toFixed())
}))

it('KStream.print', () => building(({ stream }) => {
  expectType<void>()(stream(flights).print('flights'))
  // @ts-expect-error no label
  stream(flights).print()
}))

it('KStream.to', () => building(({ stream }) => {
  expectType<void>()(stream(numbers).to(counts))
  // @ts-expect-error the topic holds other values
  stream(flights).to(numbers)
  // @ts-expect-error the topic has other keys
  stream(byNumber).to(airlines)
  // @ts-expect-error the topic takes neither null keys nor null values
  stream(holed).to(numbers)
  // @ts-expect-error one of the topics holds other values
  stream(numbers).to([counts, flights], () => counts)
  // @ts-expect-error another topic is chosen
  stream(numbers).to([counts], () => numbers2)
  // @ts-expect-error a windowed key does not fit a plain serde
  stream(byHour).to(counts)
  // @ts-expect-error a plain key does not fit a windowed serde
  stream(counts).to(byHour)
}))

const numbers2 = topic('numbers-2', { key: string(), value: json<number>(), nullValue: true })

it('KGroupedStream.count', () => building(({ stream }) => {
  expectType<KTable<string, number, never>>()(stream(flights).groupByKey().count('n'))
  // @ts-expect-error no name
  stream(flights).groupByKey().count()
}))

it('KGroupedStream.reduce', () => building(({ stream }) => {
  expectType<KTable<string, Flight, never>>()(stream(flights).groupByKey().reduce('n', (_, flight) => flight))
  expectType<KTable<string, number, null>>()(stream(holed).groupByKey().reduce('n', (sum, value) => sum > 5 ? null : sum + value))
  // @ts-expect-error no name
  stream(flights).groupByKey().reduce((_, flight) => flight)
  // @ts-expect-error gives another type
  stream(flights).groupByKey().reduce('n', (_, { distance }) => distance)
  // @ts-expect-error the value has no serde
  stream(flights).mapValues(() => 'x').groupByKey().reduce('n', (x) => x)
}))

it('KGroupedStream.aggregate', () => building(({ stream }) => {
  const far = stream(flights).groupByKey().aggregate('n', { init: () => 0, add: (sum, { distance }) => sum + distance, serde: json<number>() })
  expectType<KTable<string, number, never>>()(far)
  // @ts-expect-error no name
  stream(flights).groupByKey().aggregate({ init: () => 0, add: (sum: number) => sum, serde: json<number>() })
  // @ts-expect-error no serde
  stream(flights).groupByKey().aggregate('n', { init: () => 0, add: (sum: number) => sum })
  // @ts-expect-error the serde is one of other values
  stream(flights).groupByKey().aggregate('n', { init: () => 0, add: (sum: number) => sum, serde: string() })
}))

it('KGroupedStream.cogroup', () => building(({ stream }) => {
  expectType<CogroupedKStream<string, Flight, number, never>>()(stream(flights).groupByKey().cogroup((sum: number, { distance }) => sum + distance))
  // @ts-expect-error the value may be null
  stream(holed).groupByKey().cogroup((sum: number, value) => sum + value)
  // @ts-expect-error adds up to another type
  stream(flights).groupByKey().cogroup((_: number, { carrier }): number => carrier)
}))

it('KGroupedStream.windowedBy', () => building(({ stream }) => {
  expectType<TimeWindowedKStream<string, number | null>>()(stream(holed).groupByKey().windowedBy(tumbling('1h')))
  expectType<TimeWindowedKStream<string, number>>()(stream(holed).groupByKey().windowedBy(sliding('1h')))
  // @ts-expect-error the windows of a join
  stream(flights).groupByKey().windowedBy(hour)
  // @ts-expect-error windows are of grouped streams
  stream(flights).windowedBy(session('1h'))
}))
