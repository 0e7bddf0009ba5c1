import { job, json, mean, string, topic } from 'tidemark'
import { departed, type Flight } from './shared/flights.ts'

interface Weather {
  readonly origin: string
  /** Miles per hour; null where it was not measured. */
  readonly wind_speed: number | null
}

const flights = topic('flights', { key: string(), value: json<Flight>() })
const weather = topic('weather', { key: string(), value: json<Weather>() })
const delays = topic('wind-delays', { key: string(), value: json<number>() })

/** The mean departure delay by the wind at the airport in the hour in which a flight became known. */
export default job('wind-delays', { schedule: '30 5 * * *', timezone: 'UTC' }, ({ stream, table }) => {
  stream(flights)
    .filter(departed)
    .selectKey((flight) => flight.origin, string())
    .join(table(weather), (flight, { wind_speed }) => ({ delay: flight.dep_delay, wind: windBand(wind_speed) }))
    .groupBy((flight) => flight.wind, string())
    .aggregate(
      'delay-by-wind',
      mean((flight) => flight.delay),
    )
    .to(delays)
})

function windBand(milesPerHour: number | null): string {
  if (milesPerHour === null) return 'not measured'
  if (milesPerHour < 5) return 'calm (under 5 mph)'
  if (milesPerHour < 15) return 'breeze (5 to 15 mph)'
  if (milesPerHour < 25) return 'fresh (15 to 25 mph)'
  return 'strong (25 mph and more)'
}
