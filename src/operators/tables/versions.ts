import type { ByteString } from '../../core/bytes.ts'
import type { StoreRef } from '../../topology/nodes.ts'
import type { StreamTime, TaskContext } from '../operator.ts'
import type { Entry, KeyTimeState, KeyValueState } from '../state.ts'

/** What an update of a versioned table came to: the row to show, one in its history, or nothing: it was too old. */
export type PutOutcome = 'latest' | 'older' | 'expired'

/**
 * The rows of a versioned table: the latest of each key, and in the history those that it replaced, each with the time
 * from which (`ordinal`) and up to which (`time`) it was valid. A delete is a row too, with null.
 *
 *     ──────[ 1 )────[ 2 ─────────)[ ∅ ──────)[ 3 ─────────── …
 *           from     to = from     …          the latest: it has no end yet
 *
 * Updates and questions older than stream time - retention are too old; the latest row never is.
 */
export class Versions {
  readonly #latest: KeyValueState
  readonly #history: KeyTimeState
  readonly #retentionMs: number
  readonly #time: StreamTime

  /** `table` names the step of the table, whose stream time is that of its history. */
  constructor(context: TaskContext, table: string, latest: StoreRef, history: StoreRef) {
    this.#latest = context.keyValue(latest.name)
    this.#history = context.keyTime(history.name)
    this.#retentionMs = history.retentionMs ?? Number.POSITIVE_INFINITY
    this.#time = context.streamTime(table)
  }

  /** The row to show. */
  latest(key: ByteString): Entry | undefined {
    return this.#latest.get(key)
  }

  /** The row that was valid at `time`, with the time from which it was. */
  asOf(key: ByteString, time: number): Entry | undefined {
    const latest = this.#latest.get(key)
    if (latest !== undefined && latest.timestamp <= time) return latest
    if (time < this.#time.value - this.#retentionMs) return undefined
    const [row] = this.#history.range(key, time + 1, Number.POSITIVE_INFINITY)
    return row !== undefined && row.ordinal <= time && row.value !== null ? row : undefined
  }

  /** Puts a row, or with null a delete, that is valid from `timestamp`. */
  put(key: ByteString, value: unknown, timestamp: number): PutOutcome {
    if (timestamp < this.#time.value - this.#retentionMs) return 'expired'
    this.#time.advance(timestamp)
    const latest = this.#latest.get(key)
    if (latest === undefined || timestamp < latest.timestamp) {
      return this.#putBetween(key, value, timestamp, latest?.timestamp)
    }
    const { timestamp: from } = latest
    if (timestamp > from) this.#history.put(key, timestamp, from, latest.value, from)
    this.#show(key, value, timestamp)
    return 'latest'
  }

  /** The row is not to follow the latest one, which begins at `latestFrom`, where there is one. */
  #putBetween(key: ByteString, value: unknown, timestamp: number, latestFrom: number | undefined): PutOutcome {
    const [row] = this.#history.range(key, timestamp + 1, Number.POSITIVE_INFINITY)
    if (row !== undefined && row.ordinal <= timestamp) {
      const { ordinal: from, time: to } = row
      if (from < timestamp) {
        this.#history.put(key, timestamp, from, row.value, from)
        this.#history.delete(key, to, from)
      }
      this.#history.put(key, to, timestamp, value, timestamp)
      return 'older'
    }
    const next = row === undefined ? latestFrom : row.ordinal
    if (next !== undefined) {
      this.#history.put(key, next, timestamp, value, timestamp)
      return 'older'
    }
    if (value === null && this.#history.range(key, timestamp, timestamp + 1).length === 0) {
      // so that what comes later and is older finds that it is
      this.#history.put(key, timestamp, timestamp, null, timestamp)
    }
    this.#show(key, value, timestamp)
    return 'latest'
  }

  #show(key: ByteString, value: unknown, timestamp: number): void {
    if (value === null) this.#latest.delete(key)
    else this.#latest.put(key, value, timestamp)
  }
}
