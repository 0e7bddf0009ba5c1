import type { Duration } from '../core/duration.ts'
import { nullable } from '../serde/nullable.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { StoreRef } from '../topology/nodes.ts'
import { spanMs } from './span.ts'
import { whereOfCall } from './where-of-call.ts'

/** The store of what a table's own store had before, for `retention`. */
export function historyStore({ name, key, value }: StoreRef, retention: Duration): StoreRef {
  const retentionMs = spanMs(retention, 'historyRetention')
  if (retentionMs <= 0) {
    throw invalidJob(whereOfCall(), `the table ${name} keeps no history`, "Give a span, as in historyRetention: '1h'.")
  }
  return { name: `${name}-history`, key, value: nullable(value), retentionMs, shape: 'key-time', rows: 'versions' }
}
