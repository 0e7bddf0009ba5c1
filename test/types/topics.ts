import { json, string, topic } from 'tidemark'

export interface Flight {
  readonly carrier: string
  readonly dep_delay: number | null
  readonly distance: number
  readonly time_hour: string
}

export interface Airline {
  readonly name: string
}

export const flights = topic('flights', { key: string(), value: json<Flight>() })
export const airlines = topic('airlines', { key: string(), value: json<Airline>() })
export const numbers = topic('numbers', { key: string(), value: json<number>() })
export const byNumber = topic('by-number', { key: json<number>(), value: json<Airline>() })
export const holed = topic('holed', { key: string(), value: json<number>(), nullKey: true, nullValue: true })
export const counts = topic('counts', { key: string(), value: json<number>() })
