import { job, json, mean, string, topic, tumbling } from 'tidemark'
import { expect, it } from 'vitest'

interface Flight {
  readonly carrier: string
  readonly dep_delay: number | null
}
interface Airline {
  readonly name: string
}
interface CarrierDelay {
  readonly carrier: string
  readonly from: number
  readonly mean: number | null
}

const departed = (flight: Flight): boolean => flight.dep_delay !== null

const flights = topic('flights', { key: string(), value: json<Flight>() })
const airlines = topic('airlines', { key: string(), value: json<Airline>() })
const delays = topic('carrier-delays', { key: string(), value: json<CarrierDelay>() })
const lateFlights = topic('late-flights', { key: string(), value: json<Flight>() })

const carrierDelays = job('carrier-delays', { schedule: '0 */6 * * *', timezone: 'UTC' }, ({ stream, table }) => {
  const hourly = stream(flights)
    .filter(departed)
    .groupByKey()
    .windowedBy(tumbling('1h', { grace: '2h' }))
    .aggregate(
      'hourly-delay',
      mean((flight) => flight.dep_delay),
    )

  hourly.late().to(lateFlights)

  hourly
    .toStream()
    .mapValues((mean, { key, start }) => ({ carrier: key, from: start, mean }))
    .selectKey((delay) => delay.carrier, string())
    .leftJoin(table(airlines), (delay, airline) => ({ ...delay, carrier: airline?.name ?? 'unknown' }))
    .to(delays)
})

it('builds the job of the design without an annotation', () => {
  expect(carrierDelays.topology.nodes.map(({ name }) => name)).toEqual([
    'flights:stream',
    'flights:filter',
    'hourly-delay',
    'hourly-delay:late',
    'late-flights:sink',
    'hourly-delay:to-stream',
    'hourly-delay:map-values',
    'hourly-delay:select-key',
    'airlines:table',
    'carrier-delays:exchange',
    'carrier-delays:stream-table-join',
    'carrier-delays:sink',
  ])
  expect(carrierDelays.topology.subTopologies).toEqual([
    { name: 'flights', nodes: [0, 1, 2, 3, 4, 5, 6, 7], stores: ['hourly-delay'] },
    { name: 'airlines', nodes: [8, 9, 10, 11], stores: ['airlines'] },
  ])
})
