// biome-ignore-all format: each mistake is one line, so that the line is refused
import {
  approxDistinctCount,
  approxQuantiles,
  bytes,
  calendar,
  calendarWindowed,
  collect,
  count,
  distinctCount,
  type Forward,
  first,
  hopping,
  int64,
  type JobBuilder,
  joinWindows,
  json,
  type KTable,
  keyValueStore,
  last,
  max,
  mean,
  min,
  serde,
  session,
  sessionWindowed,
  sliding,
  string,
  sum,
  timestampedWindowStore,
  timeWindowed,
  topic,
  topK,
  tumbling,
  untilTimeLimit,
  untilWindowCloses,
  variance,
  type Windowed,
  windowStore,
} from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { airlines, byNumber, counts, flights, holed, numbers } from './topics.ts'

const hour = joinWindows('1h')

// Compiled, and never built.
const refused = (build: (builder: JobBuilder) => unknown) => void build

it('refuses mistakes in joins of streams', () => {
  refused(({ stream }) => {
    // @ts-expect-error keys differ
    stream(flights).join(stream(byNumber), (a) => a, hour, 'n')
    // @ts-expect-error keys differ
    stream(flights).leftJoin(stream(byNumber), (a) => a, hour, 'n')
    // @ts-expect-error keys differ
    stream(flights).outerJoin(stream(byNumber), (a) => a, hour, 'n')
    // @ts-expect-error no windows
    stream(flights).join(stream(numbers), (a) => a, 'n')
    // @ts-expect-error no name
    stream(flights).join(stream(numbers), (a) => a, hour)
    // @ts-expect-error no name
    stream(flights).leftJoin(stream(numbers), (a) => a, hour)
    // @ts-expect-error no name
    stream(flights).outerJoin(stream(numbers), (a) => a, hour)
    // @ts-expect-error wrong windows
    stream(flights).join(stream(numbers), (a) => a, tumbling('1h'), 'n')
    const mapped = stream(flights).mapValues((f) => f.distance)
    // @ts-expect-error left serde missing
    mapped.join(stream(numbers), (a, b) => a + b, hour, 'n')
    // @ts-expect-error right serde missing
    stream(numbers).join(mapped, (a, b) => a + b, hour, 'n')
    // @ts-expect-error right serde missing
    stream(numbers).leftJoin(mapped, (a) => a, hour, 'n')
    // @ts-expect-error right serde missing
    stream(numbers).outerJoin(mapped, (a) => a, hour, 'n')
    // @ts-expect-error wrong serde
    stream(numbers).join(mapped, (a, b) => a + b, hour, 'n', { right: string() })
    stream(numbers).join(mapped, (a, b) => a + b, hour, 'n', { right: json<number>() })
    const rekeyed = stream(flights).selectKey((f) => f.carrier)
    // @ts-expect-error key serde missing
    rekeyed.join(stream(numbers), (a) => a, hour, 'n')
    // @ts-expect-error key serde missing
    stream(numbers).join(rekeyed, (a) => a, hour, 'n')
    // @ts-expect-error the other may be null
    stream(flights).leftJoin(stream(numbers), (a, b) => a.distance + b, hour, 'n')
    // @ts-expect-error the left may be null
    stream(flights).outerJoin(stream(numbers), (a, b) => a.distance + (b ?? 0), hour, 'n')
  })
})

it('refuses mistakes in joins by foreign keys', () => {
  refused(({ table }) => {
    // @ts-expect-error foreign key of another type
    table(flights).join(table(byNumber), (f) => f.carrier, (f, a) => ({ f, a }), 'n')
    // @ts-expect-error no name
    table(flights).join(table(airlines), (f) => f.carrier, (f, a) => ({ f, a }))
    // @ts-expect-error no name
    table(flights).leftJoin(table(airlines), (f) => f.carrier, (f, a) => ({ f, a }))
    // @ts-expect-error the airline may be missing
    table(flights).leftJoin(table(airlines), (f) => f.carrier, (_, a) => a.name, 'n')
    // @ts-expect-error wrong result
    table(flights).join(table(airlines), (f) => f.carrier, (_, a) => a.name, 'n', { result: json<number>() })
    const mt = table(flights).mapValues((f) => f.carrier)
    // @ts-expect-error left serde is missing
    mt.join(table(airlines), (f) => f, (f, a) => f + a.name, 'n')
    mt.join(
      table(airlines),
      (f) => f,
      (f, a) => f + a.name,
      'n',
      { left: string() },
    )
    // @ts-expect-error left serde is missing
    mt.leftJoin(table(airlines), (f) => f, (f) => f, 'n', { result: string() })
  })
})

it('refuses mistakes in joins of tables', () => {
  refused(({ stream, table, globalTable }) => {
    // @ts-expect-error keys
    table(flights).join(table(byNumber), (a) => a)
    // @ts-expect-error keys
    table(flights).leftJoin(table(byNumber), (a) => a)
    // @ts-expect-error keys
    table(flights).outerJoin(table(byNumber), (a) => a)
    // @ts-expect-error may be null
    table(numbers).outerJoin(table(counts), (a, b) => a + (b ?? 0))
    // @ts-expect-error may be null
    table(numbers).leftJoin(table(counts), (a, b) => a + b)
    // @ts-expect-error serde missing
    table(numbers).join(table(counts), (a, b) => a + b, 'n')
    // @ts-expect-error serde missing
    table(numbers).leftJoin(table(counts), (a, b) => a + (b ?? 0), 'n')
    // @ts-expect-error serde missing
    table(numbers).outerJoin(table(counts), (a, b) => (a ?? 0) + (b ?? 0), 'n')
    // @ts-expect-error wrong serde
    table(numbers).join(table(counts), (a, b) => a + b, 'n', string())
    // @ts-expect-error a stream is no table
    table(numbers).join(stream(counts), (a) => a)
    // @ts-expect-error a global table is joined by streams
    table(numbers).join(globalTable(counts), (a) => a)
    const hourly = stream(numbers).groupByKey().windowedBy(tumbling('1h')).count('h')
    // @ts-expect-error windowed with plain
    table(numbers).join(hourly, (a) => a)
    // @ts-expect-error windowed with plain
    hourly.join(table(numbers), (a) => a)
    expectType<KTable<Windowed<string>, number, never, 'serde', 'no serde'>>()(
      hourly.join(stream(numbers).groupByKey().windowedBy(tumbling('1h')).count('h2'), (a, b) => a + b),
    )
  })
})

it('refuses mistakes in joins with global tables', () => {
  refused(({ stream, globalTable }) => {
    // @ts-expect-error key of another type
    stream(flights).join(globalTable(byNumber), (f) => f.carrier, (f) => f)
    // @ts-expect-error no key
    stream(flights).join(globalTable(airlines), (f) => f)
    // @ts-expect-error may be missing
    stream(flights).leftJoin(globalTable(airlines), (f) => f.carrier, (_, a) => a.name)
  })
})

it('refuses mistakes in versioned tables', () => {
  refused(({ stream, table }) => {
    const mapped = stream(flights).mapValues((f) => f.distance)
    // @ts-expect-error has no history
    stream(numbers).join(table(counts), (a) => a, 'n', { grace: '1m' })
    // @ts-expect-error a versioned table has a name
    table(counts, { historyRetention: '1m' })
    const versioned = table(counts, 'v', { historyRetention: '1h' })
    // @ts-expect-error no name
    stream(numbers).join(versioned, (a) => a, { grace: '1m' })
    // @ts-expect-error no serde
    mapped.join(versioned, (a) => a, 'n', { grace: '1m' })
    mapped.join(versioned, (a) => a, 'n', { grace: '1m', serde: json<number>() })
    // @ts-expect-error not suppressed
    versioned.suppress('s', untilTimeLimit('1m'))
    // @ts-expect-error no serde
    mapped.toTable('t', { historyRetention: '1h' })
  })
})

it('refuses mistakes in suppression', () => {
  refused(({ stream, table }) => {
    const hourly = stream(numbers).groupByKey().windowedBy(tumbling('1h')).count('h')
    // @ts-expect-error no name
    hourly.suppress(untilWindowCloses())
    // @ts-expect-error no windows
    table(numbers).suppress('n', untilWindowCloses())
    // @ts-expect-error no serde
    hourly.mapValues((n) => `${n}`).suppress('n', untilWindowCloses())
    // @ts-expect-error wrong serde
    hourly.mapValues((n) => `${n}`).suppress('n', untilWindowCloses(), json<number>())
    // @ts-expect-error a closed window fails when full
    untilWindowCloses({ whenFull: 'emit' })
    // @ts-expect-error no limit
    untilTimeLimit()
  })
})

it('refuses mistakes in windows and cogroups', () => {
  refused(({ stream }) => {
    // @ts-expect-error no zone
    calendar('day')
    // @ts-expect-error no such unit
    calendar('year', { zone: 'UTC' })
    // @ts-expect-error no advance
    hopping('1h')
    // @ts-expect-error no size
    tumbling()
    // @ts-expect-error no advance of sliding windows
    sliding('1h', { advance: '1m' })
    // @ts-expect-error no merge
    stream(numbers).groupByKey().windowedBy(session('1h')).aggregate('n', { init: () => 0, add: (a: number) => a, serde: json<number>() })
    // @ts-expect-error no merge
    stream(numbers).groupByKey().cogroup((a: number, v) => a + v).windowedBy(session('1h')).aggregate('n', { init: () => 0, serde: json<number>() })
    // @ts-expect-error no init
    stream(numbers).groupByKey().cogroup((a: number, v) => a + v).aggregate('n', { serde: json<number>() })
    // @ts-expect-error serde of another type
    stream(numbers).groupByKey().cogroup((a: number, v) => a + v).aggregate('n', { init: () => 0, serde: string() })
    // @ts-expect-error keys differ
    stream(numbers).groupByKey().cogroup((a: number, v) => a + v).cogroup(stream(byNumber).groupByKey(), (a) => a)
    // @ts-expect-error no name
    stream(numbers).groupByKey().cogroup((a: number, v) => a + v).aggregate({ init: () => 0, serde: json<number>() })
    // @ts-expect-error no name
    stream(numbers).groupByKey().windowedBy(tumbling('1h')).aggregate(sum((v) => v))
    // @ts-expect-error no name
    stream(numbers).groupByKey().windowedBy(sliding('1h')).reduce((a, b) => a + b)
    // @ts-expect-error no name
    stream(numbers).groupByKey().windowedBy(session('1h')).count()
    // @ts-expect-error no windows
    stream(numbers).windowedBy(session('1h'))
    // @ts-expect-error join windows are for joins
    stream(numbers).groupByKey().windowedBy(hour)
  })
})

it('refuses mistakes in aggregates', () => {
  refused(({ stream, table }) => {
    // @ts-expect-error no number
    stream(flights).groupByKey().aggregate('n', mean((f) => f.carrier))
    // @ts-expect-error no number
    stream(flights).groupByKey().aggregate('n', sum((f) => f.carrier))
    // @ts-expect-error no number
    stream(flights).groupByKey().aggregate('n', variance((f) => f.carrier))
    // @ts-expect-error no number
    stream(flights).groupByKey().aggregate('n', max((f) => f))
    // @ts-expect-error no such field
    stream(flights).groupByKey().aggregate('n', min((f) => f.nothing))
    // @ts-expect-error no number
    stream(flights).groupByKey().aggregate('n', topK(3, (f) => f.carrier))
    // @ts-expect-error no text, number
    stream(flights).groupByKey().aggregate('n', distinctCount((f) => f))
    // @ts-expect-error no limit
    stream(flights).groupByKey().aggregate('n', collect((f) => f.carrier))
    // @ts-expect-error no quantiles
    stream(flights).groupByKey().aggregate('n', approxQuantiles((f) => f.distance))
    // @ts-expect-error not of that
    stream(flights).groupByKey().aggregate('n', approxDistinctCount((f) => f))
    const regrouped = table(flights).groupBy((f) => [f.carrier, f.distance], string())
    // @ts-expect-error cannot take back
    regrouped.aggregate('n', first((d) => d))
    // @ts-expect-error cannot take back
    regrouped.aggregate('n', last((d) => d))
    // @ts-expect-error cannot take back
    regrouped.aggregate('n', max((d) => d))
    // @ts-expect-error cannot take back
    regrouped.aggregate('n', collect(3, (d) => d))
    // @ts-expect-error no name
    regrouped.count()
    // @ts-expect-error no name
    regrouped.aggregate(count())
    // @ts-expect-error other type
    regrouped.reduce('n', (a, b) => `${a}${b}`, (a) => a, json<number>())
    // @ts-expect-error no windows for tables
    regrouped.windowedBy(tumbling('1h'))
    // @ts-expect-error own aggregate of other values
    stream(flights).groupByKey().aggregate('n', { init: () => 0, add: (a: number, v: string) => a + v.length, serde: json<number>() })
    // @ts-expect-error own aggregate with serde of another type
    stream(flights).groupByKey().aggregate('n', { init: () => 0, add: (a: number) => a + 1, serde: string() })
  })
})

it('refuses mistakes in streams and topics', () => {
  refused(({ stream, table }) => {
    const mapped = stream(flights).mapValues((f) => f.distance)
    const rekeyed = stream(flights).selectKey((f) => f.carrier)
    const hourly = stream(numbers).groupByKey().windowedBy(tumbling('1h')).count('h')
    // @ts-expect-error nothing to iterate
    stream(flights).flatMap((f) => f.distance)
    // @ts-expect-error no pairs
    stream(flights).flatMap((f) => [f.distance])
    // @ts-expect-error nothing to iterate
    stream(flights).flatMapValues((f) => f.distance)
    // @ts-expect-error no pair
    stream(flights).map((f) => f.distance)
    // @ts-expect-error serde of another key
    stream(flights).map((f) => [f.distance, f], string())
    // @ts-expect-error serde of another key
    stream(flights).flatMap((f) => [[f.distance, f] as const], string())
    // @ts-expect-error keys of one are unknown
    stream(flights).merge(rekeyed).groupByKey()
    // @ts-expect-error values of one are unknown
    stream(numbers).merge(mapped).groupByKey().reduce('n', (a) => a)
    // @ts-expect-error key may be null
    stream(holed).to(numbers)
    // @ts-expect-error no topic
    stream(numbers).to('numbers')
    // @ts-expect-error no string condition
    stream(numbers).filter((n) => `${n}`)
    // @ts-expect-error no string condition
    stream(numbers).filterNot(() => 'x')
    // @ts-expect-error nothing of that
    stream(flights).peek((f) => f.nothing)
    // @ts-expect-error windowed key does not fit
    hourly.toStream().to(counts)
    hourly.toStream().to(topic('x', { key: timeWindowed(string(), '1h'), value: json<number>() }))
    hourly.to(topic('y', { key: sessionWindowed(string()), value: json<number>() }))
    hourly.to(topic('z', { key: calendarWindowed(string()), value: json<number>() }))
    // @ts-expect-error other inner key
    hourly.to(topic('x', { key: timeWindowed(json<number>(), '1h'), value: json<number>() }))
    // @ts-expect-error deletes
    table(counts).toStream().to(numbers)
    // @ts-expect-error int64s are bigints
    stream(numbers).to(topic('l', { key: string(), value: int64() }))
    // @ts-expect-error bytes
    stream(numbers).to(topic('l', { key: string(), value: bytes() }))
    // @ts-expect-error key bytes
    stream(numbers).to(topic('l', { key: bytes(), value: json<number>() }))
    // @ts-expect-error decode gives something else
    serde<boolean>({ format: 'f', encode: () => new Uint8Array(0), decode: () => 'x' })
    // @ts-expect-error no format
    serde<boolean>({ encode: () => new Uint8Array(0), decode: () => true })
  })
})

it('refuses mistakes in processors', () => {
  refused(({ stream }) => {
    stream(numbers).process('p', (_, forward: Forward<string, number>) => ({ key }) => {
      // @ts-expect-error value of another type
      forward({ key, value: 'x' })
      // @ts-expect-error no key
      forward({ value: 1 })
    })
    // @ts-expect-error no name
    stream(numbers).process(() => () => {})
    // @ts-expect-error no name
    stream(numbers).processValues(() => () => {})
    // @ts-expect-error gives no processor
    stream(numbers).process('p', () => 5)
    // @ts-expect-error keys stay
    stream(numbers).processValues('p', { value: json<number>() }, (_, forward) => ({ key, value }) => forward({ key, value }))
    // @ts-expect-error no retention
    windowStore(string(), string(), { size: '1m' })
    // @ts-expect-error no size
    timestampedWindowStore(string(), string(), { retention: '1m' })
    stream(numbers).process('p', { stores: { s: keyValueStore(string(), string()) } }, (context) => {
      // @ts-expect-error no such time
      context.schedule('1m', 'event-time', () => {})
      return ({ key, value }) => {
        // @ts-expect-error other values
        context.stores.s.put(key, value)
        // @ts-expect-error not timestamped
        context.stores.s.put(key, 'x', 5)
      }
    })
    // @ts-expect-error no serde for the key
    stream(numbers).process('q', (_, forward: Forward<string, number>) => ({ key, value }) => forward({ key, value })).groupByKey()
    // @ts-expect-error no serde for the value
    stream(numbers).processValues('q', (_, forward: (r: { value: number }) => void) => forward).toTable('t')
    // @ts-expect-error serde of another key than forwarded
    stream(numbers).process('q', { key: json<number>() }, (_, forward) => ({ key, value }) => forward({ key, value }))
  })
})

it('refuses mistakes in late records', () => {
  refused(({ stream }) => {
    const hourly = stream(numbers).groupByKey().windowedBy(tumbling('1h')).count('h')
    // @ts-expect-error flights do not fit
    stream(flights).groupByKey().windowedBy(tumbling('1h')).count('n').late().to(numbers)
    // @ts-expect-error filtered tables have no late records
    hourly.filter((n) => n > 1).late()
  })
})

it('refuses mistakes in topics', () => {
  refused(({ stream, table }) => {
    // @ts-expect-error no value serde
    topic('t', { key: string() })
    // @ts-expect-error no such policy
    topic('t', { key: string(), value: string(), onInvalidTimestamp: 'ignore' })
    // @ts-expect-error a table of a topic with windowed keys is no lookup by plain key
    stream(numbers).join(table(topic('w', { key: timeWindowed(string(), '1h'), value: json<number>() })), (a) => a)
    // @ts-expect-error no owner
    table(counts).to(numbers, { owner: 'me' })
  })
})
