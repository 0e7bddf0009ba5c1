// biome-ignore-all format: each mistake is one line, so that the line is refused
import { calendar, json, type KGroupedTable, type KStream, type KTable, keyValueStore, max, session, string, sum, timeWindowed, topic, tumbling, untilTimeLimit, untilWindowCloses, type Windowed } from 'tidemark'
import { it } from 'vitest'
import { expectType } from '../equal.ts'
import { type Airline, airlines, byNumber, counts, type Flight, flights, numbers } from '../topics.ts'
import { building } from './building.ts'

const day = calendar('day', { zone: 'Europe/Berlin' })

it('KTable.filter', () => building(({ table }) => {
  expectType<KTable<string, Airline, null>>()(table(airlines).filter(({ name }) => name !== '', 'kept'))
  // @ts-expect-error a text is no condition
  table(airlines).filter(({ name }) => name)
  // @ts-expect-error what is kept has a serde
  table(airlines).mapValues(({ name }) => name).filter(() => true, 'kept')
  // @ts-expect-error the serde is one of other values
  table(airlines).mapValues(({ name }) => name).filter(() => true, 'kept', json<number>())
}))

it('KTable.filterNot', () => building(({ table }) => {
  expectType<KTable<string, Airline, null, 'serde', 'serde'>>()(table(airlines).filterNot(({ name }) => name === ''))
  // @ts-expect-error there is no such field
  table(airlines).filterNot(({ carrier }) => carrier === '')
  // @ts-expect-error what is kept has a serde
  table(airlines).mapValues(({ name }) => name).filterNot(() => true, 'kept')
}))

it('KTable.mapValues', () => building(({ stream, table }) => {
  expectType<KTable<string, string, null, 'serde', 'no serde'>>()(table(airlines).mapValues(({ name }) => name))
  expectType<KTable<string, string, never>>()(stream(flights).groupByKey().count('n').mapValues((n) => `${n}`, 'm', string()))
  // @ts-expect-error what is kept has a serde
  table(airlines).mapValues(({ name }) => name, 'm')
  // @ts-expect-error the serde is one of other values
  table(airlines).mapValues(({ name }) => name, 'm', json<number>())
}))

it('KTable.transformValues', () => building(({ table }) => {
  const stores = { seen: keyValueStore(string(), json<number>()) }
  const lengths = table(airlines).transformValues('l', { value: json<number>(), stores }, ({ stores: { seen } }) => (airline, key) => airline && airline.name.length + (seen.get(key) ?? 0))
  expectType<KTable<string, number, null>>()(lengths)
  // @ts-expect-error a delete has no value
  table(airlines).transformValues('l', { value: string() }, () => ({ name }) => name)
  // @ts-expect-error no name
  table(airlines).transformValues({ value: string() }, () => () => 'x')
  // @ts-expect-error no serde
  table(airlines).transformValues('l', () => () => 'x')
  // @ts-expect-error the serde is one of other values
  table(airlines).transformValues('l', { value: string() }, () => () => 5)
  // @ts-expect-error the store is not declared
  table(airlines).transformValues('l', { value: string() }, ({ stores: { other } }) => () => `${other}`)
}))

it('KTable.toStream', () => building(({ stream, table }) => {
  expectType<KStream<string, Airline | null>>()(table(airlines).toStream())
  expectType<KStream<string, number>>()(stream(flights).groupByKey().count('n').toStream())
  expectType<KStream<number, Airline | null>>()(table(airlines).toStream((_, key) => key.length, json<number>()))
  // @ts-expect-error deletes have no value, which the topic does not take
  table(counts).toStream().to(numbers)
  // @ts-expect-error the new key has no serde
  table(airlines).toStream((_, key) => key.length).groupByKey()
  // @ts-expect-error the serde is one of other keys
  table(airlines).toStream((_, key) => key.length, string())
}))

it('KTable.groupBy', () => building(({ table }) => {
  expectType<KGroupedTable<string, number>>()(table(airlines).groupBy(({ name }, key) => [name, key.length], string()))
  // @ts-expect-error the new key has no serde
  table(airlines).groupBy(({ name }) => [name, 1])
  // @ts-expect-error the serde is one of other keys
  table(airlines).groupBy(({ name }) => [name, 1], json<number>())
  // @ts-expect-error no pair
  table(airlines).groupBy(({ name }) => name, string())
}))

it('KGroupedTable.count', () => building(({ table }) => {
  const grouped = table(airlines).groupBy(({ name }) => [name, 1], string())
  expectType<KTable<string, number, never>>()(grouped.count('n'))
  // @ts-expect-error no name
  grouped.count()
}))

it('KGroupedTable.reduce', () => building(({ table }) => {
  const grouped = table(airlines).groupBy(({ name }) => [name, name.length], string())
  expectType<KTable<string, number, never>>()(grouped.reduce('n', (sum, n) => sum + n, (sum, n) => sum - n, json<number>()))
  // @ts-expect-error nothing takes values back
  grouped.reduce('n', (sum, n) => sum + n, json<number>())
  // @ts-expect-error no serde
  grouped.reduce('n', (sum, n) => sum + n, (sum, n) => sum - n)
  // @ts-expect-error no name
  grouped.reduce((sum, n) => sum + n, (sum, n) => sum - n, json<number>())
  // @ts-expect-error the serde is one of other values
  grouped.reduce('n', (sum, n) => sum + n, (sum, n) => sum - n, string())
}))

it('KGroupedTable.aggregate', () => building(({ table }) => {
  const grouped = table(airlines).groupBy(({ name }) => [name, name.length], string())
  expectType<KTable<string, number, never>>()(grouped.aggregate('n', sum((length) => length)))
  // @ts-expect-error the greatest of the rest is not known
  grouped.aggregate('n', max((length: number) => length))
  // @ts-expect-error no name
  grouped.aggregate(sum((length: number) => length))
  // @ts-expect-error nothing takes values back
  grouped.aggregate('n', { init: () => 0, add: (total: number, length: number) => total + length, serde: json<number>() })
}))

it('KTable.join', () => building(({ stream, table, globalTable }) => {
  expectType<KTable<string, string, null, 'serde', 'no serde'>>()(table(airlines).join(table(counts), ({ name }, n) => `${name}${n}`))
  expectType<KTable<string, string, null>>()(table(airlines).join(table(counts), ({ name }, n) => `${name}${n}`, 'j', string()))
  expectType<KTable<string, string, null, 'serde', 'no serde'>>()(table(flights).join(table(airlines), ({ carrier }) => carrier, (_, { name }) => name, 'fk'))
  expectType<KTable<string, string, null, 'serde', 'no serde'>>()(table(flights).join(table(byNumber), ({ dep_delay }) => dep_delay, (_, { name }) => name, 'fk'))
  // @ts-expect-error keys of another type
  table(airlines).join(table(byNumber), (airline) => airline)
  // @ts-expect-error a foreign key of another type
  table(flights).join(table(airlines), ({ distance }) => distance, (flight) => flight, 'fk')
  // @ts-expect-error a foreign key of another type
  table(flights).join(table(byNumber), ({ carrier }) => carrier, (flight) => flight, 'fk')
  // @ts-expect-error a join by a foreign key has a name
  table(flights).join(table(airlines), ({ carrier }) => carrier, (flight) => flight)
  // @ts-expect-error what is kept has a serde
  table(airlines).join(table(counts), ({ name }) => name, 'j')
  // @ts-expect-error the serde is one of other values
  table(flights).join(table(airlines), ({ carrier }) => carrier, (_, { name }) => name, 'fk', { result: json<number>() })
  // @ts-expect-error the values that are sent have no serde
  table(flights).mapValues(({ carrier }) => carrier).join(table(airlines), (carrier) => carrier, (carrier) => carrier, 'fk')
  // @ts-expect-error a global table is joined by streams
  table(flights).join(globalTable(airlines), (flight) => flight)
  // @ts-expect-error windowed and plain keys
  stream(flights).groupByKey().windowedBy(tumbling('1h')).count('n').join(table(counts), (n) => n)
  // @ts-expect-error a windowed table is not looked up by a plain foreign key
  table(flights).join(stream(flights).groupByKey().windowedBy(tumbling('1h')).count('n'), ({ carrier }) => carrier, (flight) => flight, 'fk')
}))

it('KTable.leftJoin', () => building(({ table }) => {
  expectType<KTable<string, number, null, 'serde', 'no serde'>>()(table(airlines).leftJoin(table(counts), (_, n) => n ?? 0))
  expectType<KTable<string, string, null, 'serde', 'no serde'>>()(table(flights).leftJoin(table(airlines), ({ carrier }) => carrier, (_, airline) => airline?.name ?? null, 'fk'))
  // @ts-expect-error the other may be missing
  table(airlines).leftJoin(table(counts), (_, n) => n + 1)
  // @ts-expect-error the airline may be missing
  table(flights).leftJoin(table(airlines), ({ carrier }) => carrier, (_, { name }) => name, 'fk')
  // @ts-expect-error keys of another type
  table(airlines).leftJoin(table(byNumber), (airline) => airline)
  // @ts-expect-error a foreign key of another type
  table(flights).leftJoin(table(airlines), ({ distance }) => distance, (flight) => flight, 'fk')
  // @ts-expect-error a join by a foreign key has a name
  table(flights).leftJoin(table(airlines), ({ carrier }) => carrier, (flight) => flight)
  // @ts-expect-error what is kept has a serde
  table(airlines).leftJoin(table(counts), ({ name }) => name, 'j')
}))

it('KTable.outerJoin', () => building(({ table }) => {
  expectType<KTable<string, string, null>>()(table(airlines).outerJoin(table(counts), (airline, n) => `${airline?.name}${n}`, 'j', string()))
  // @ts-expect-error either may be missing
  table(airlines).outerJoin(table(counts), ({ name }) => name)
  // @ts-expect-error keys of another type
  table(airlines).outerJoin(table(byNumber), () => 1)
  // @ts-expect-error what is kept has a serde
  table(airlines).outerJoin(table(counts), () => 1, 'j')
  // @ts-expect-error there are no outer joins by a foreign key, as in Kafka Streams
  table(flights).outerJoin(table(airlines), ({ carrier }: Flight) => carrier, () => 1, 'fk')
}))

it('KTable.suppress', () => building(({ stream, table }) => {
  const sessions = stream(flights).groupByKey().windowedBy(session('1h')).count('n')
  expectType<KTable<Windowed<string>, number, never>>()(sessions.suppress('final', untilWindowCloses()))
  expectType<KTable<Windowed<string>, number, null>>()(sessions.suppress('quiet', untilTimeLimit('1m')))
  expectType<KTable<Windowed<string>, number, never>>()(stream(flights).groupByKey().windowedBy(day).count('d').suppress('final', untilWindowCloses()))
  // @ts-expect-error no name
  sessions.suppress(untilWindowCloses())
  // @ts-expect-error a plain table has no windows
  table(counts).suppress('final', untilWindowCloses())
  // @ts-expect-error what is held back has a serde
  sessions.mapValues((n) => `${n}`).suppress('final', untilWindowCloses())
  // @ts-expect-error the serde is one of other values
  sessions.mapValues((n) => `${n}`).suppress('final', untilWindowCloses(), json<number>())
  // @ts-expect-error a versioned table is not suppressed
  table(counts, 'v', { historyRetention: '1h' }).suppress('s', untilTimeLimit('1m'))
}))

it('KTable.to', () => building(({ stream, table }) => {
  expectType<void>()(table(counts).to(numbers, { owner: true }))
  const hourly = stream(flights).groupByKey().windowedBy(tumbling('1h')).count('n')
  expectType<void>()(hourly.to(topic('hours', { key: timeWindowed(string(), '1h'), value: json<number>() })))
  // @ts-expect-error the topic holds other values
  table(airlines).to(numbers)
  // @ts-expect-error the topic has other keys
  table(byNumber).to(airlines)
  // @ts-expect-error a windowed key does not fit a plain serde
  hourly.to(counts)
  // @ts-expect-error the keys in the windows are others
  hourly.to(topic('hours', { key: timeWindowed(json<number>(), '1h'), value: json<number>() }))
  // @ts-expect-error every update goes out by way of toStream
  table(counts).to([numbers], () => numbers)
}))
