import { job, json, mean, string, topic, tumbling } from 'tidemark'
import { type DepartedFlight, departed, type Flight } from './shared/flights.ts'

interface Airline {
  readonly name: string
}

interface CarrierDelay {
  readonly carrier: string
  /** Start of the hour, epoch ms. */
  readonly from: number
  /** Mean departure delay so far, minutes. */
  readonly mean: number
}

const flights = topic('flights', { key: string(), value: json<Flight>() })
const airlines = topic('airlines', { key: string(), value: json<Airline>() })
const delays = topic('carrier-delays', { key: string(), value: json<CarrierDelay>() })
const lateFlights = topic('late-flights', { key: string(), value: json<DepartedFlight>() })

/** The mean departure delay of each carrier and hour, as flights become known; what comes too late goes to its own topic. */
export default job('carrier-delays', { schedule: '0 */6 * * *', timezone: 'UTC' }, ({ stream, table }) => {
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
