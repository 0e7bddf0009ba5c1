import type { Serde } from '../serde/serde.ts'
import type { Aggregate } from '../topology/aggregate.ts'

/** The serde of what an aggregate's table shows: known where that is the aggregate itself. */
export function shownSerde({ result, serde }: Aggregate<unknown, unknown, unknown, unknown>): Serde<unknown> | null {
  return result === undefined ? serde : null
}
