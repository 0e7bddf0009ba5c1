import { count, hopping, job, joinWindows, json, mean, string, topic, tumbling, type Windowed } from 'tidemark'

interface Flight {
  readonly carrier: string
  readonly dep_delay: number
}

const key = string()
const flights = topic('flights', { key, value: json<Flight>(), timestamp: { field: 'dep_delay' } })
const airlines = topic('airlines', { key, value: json<{ name: string }>() })
const delays = topic('carrier-delays', { key, value: json<unknown>() })
const lateFlights = topic('late-flights', { key, value: json<Flight>() })

/** Windows, a join and an exchange. */
export const carrierDelays = job('carrier-delays', {}, ({ stream, table }) => {
  const hourly = stream(flights)
    .filter(({ dep_delay }) => dep_delay > 0)
    .groupByKey()
    .windowedBy(tumbling('1h', { grace: '2h' }))
    .aggregate(
      'hourly-delay',
      mean(({ dep_delay }) => dep_delay),
    )
  hourly.late().to(lateFlights)
  hourly
    .toStream()
    .mapValues((delay, { key: carrier, start }) => ({ carrier, start, delay }))
    .selectKey(({ carrier }) => carrier, string())
    .leftJoin(table(airlines), (delay, airline) => ({ ...delay, name: airline?.name }))
    .to(delays)
})

const people = topic('people', { key, value: json<{ city: string }>() })
const visits = topic('visits', { key, value: json<number>(), timestamp: () => 0 })
const audit = topic('audit', { key, value: json<number>() })
const cities = topic('cities', { key, value: json<number>() })
const windows = topic('windows', { key: json<Windowed<string>>(), value: json<number>() })

/** Everything else: tables regrouped and filtered, a topic passed on inside, many-to-one steps. */
export const everything = job('everything', {}, ({ stream, table }) => {
  const kept = table(people, 'people-kept').filterNot(({ city }) => city === '', 'with-city')
  kept
    .groupBy(({ city }, person) => [city, person], string())
    .count('by-city')
    .to(cities, { owner: true })
  const all = stream(visits)
    .map((visit, person) => [person, visit], string())
    .merge(stream(visits).flatMap((visit, person) => [[person, visit] as const], string()))
    .peek(() => undefined)
  all.to(audit)
  const audited = stream(audit)
  audited
    .flatMapValues((visit) => [visit])
    .groupByKey()
    .windowedBy(hopping('5m', { advance: '1m' }))
    .aggregate('often', count(), { emit: 'on-window-close' })
    .to(windows)
  audited
    .toTable('last-visit')
    .mapValues((visit) => visit * 2)
    .toStream((_, person) => person.length)
    .to(topic('lengths', { key: json<number>(), value: json<number>(), nullValue: true }))
})

const trips = topic('trips', { key, value: json<{ plane: string; from: string }>() })
const planes = topic('planes', { key, value: json<{ owner: string | null }>() })
const owners = topic('owners', { key, value: json<{ name: string }>() })
const airports = topic('airports', { key, value: json<{ city: string }>() })
const rates = topic('rates', { key, value: json<number>() })
const gates = topic('gates', { key, value: json<number>() })
const results = topic('results', { key, value: json<unknown>() })

/** Joins of every kind. */
export const joins = job('joins', {}, ({ stream, table, globalTable }) => {
  const owned = table(planes, 'planes').leftJoin(
    table(owners),
    ({ owner }) => owner,
    (plane, owner) => ({ ...plane, name: owner?.name }),
    'owned',
    { result: json<{ owner: string | null; name: string | undefined }>() },
  )
  const priced = owned.join(table(rates, 'rates', { historyRetention: '2h' }), (plane, rate) => ({ ...plane, rate }))
  priced.to(results)
  stream(trips)
    .leftJoin(
      stream(gates),
      (trip, gate) => ({ ...trip, gate }),
      joinWindows({ before: '10m', after: '1h' }, { grace: '5m' }),
      'boarded',
    )
    .join(
      globalTable(airports),
      ({ from }) => from,
      (trip, { city }) => ({ ...trip, city }),
    )
    .selectKey(({ plane }) => plane, string())
    .join(table(rates, 'rates', { historyRetention: '2h' }), (trip, rate) => ({ ...trip, rate }), 'rated', {
      grace: '1h',
      serde: json(),
    })
    .to(results)
})
