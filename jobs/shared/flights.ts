/** What the jobs about flights share: the records of `flights`, as imported from the CSV file, keyed by carrier. */
export interface Flight {
  readonly carrier: string
  readonly flight: number
  readonly origin: string
  readonly dest: string
  /** Minutes; null where the flight was cancelled. */
  readonly dep_delay: number | null
  /** Scheduled hour, ISO 8601, UTC: the event time. */
  readonly time_hour: string
}

export type DepartedFlight = Flight & { readonly dep_delay: number }

export function departed(flight: Flight): flight is DepartedFlight {
  return flight.dep_delay !== null
}
