import { TidemarkError } from '../../core/errors.ts'
import { parseFineIsoTime } from '../../planner/iso-time.ts'

/** Where the timestamps of an import's records come from. */
export type TimestampSource =
  | { readonly from: 'column'; readonly column: string }
  | { readonly from: 'time'; readonly timestamp: number }
  | { readonly from: 'clock'; readonly timestamp: number }

/** What `--timestamp` names: a column if the file has it, else a time. Throws USAGE for what is neither. */
export function timestampSource(asked: string | undefined, columns: readonly string[], now: number): TimestampSource {
  if (asked === undefined) return { from: 'clock', timestamp: now }
  if (columns.includes(asked)) return { from: 'column', column: asked }
  const timestamp = parseTimestamp(asked)
  if (timestamp !== undefined) return { from: 'time', timestamp }
  throw new TidemarkError('USAGE', `--timestamp ${JSON.stringify(asked)} is neither a column nor a time`, {
    hint: `Give a column (${columns.join(', ')}), an ISO time (2012-12-01T00:00Z), or epoch milliseconds (@1354320000000).`,
  })
}

/**
 * Epoch ms of a text: epoch milliseconds, with or without `@`, or an ISO 8601 date or time, in UTC where it names no
 * zone. What is finer than a millisecond is cut off. Undefined for anything else, and for times before 1970.
 */
export function parseTimestamp(text: string): number | undefined {
  const timestamp = /^@?\d+$/.test(text) ? Number(text.replace('@', '')) : parseFineIsoTime(text)
  return timestamp !== undefined && timestamp >= 0 && Number.isSafeInteger(timestamp) ? timestamp : undefined
}

/** Reads timestamps one after the other. Equal neighbours, as sorted files have them, are read once. */
export class TimestampReader {
  #text = ''
  #timestamp: number | undefined

  read(text: string): number | undefined {
    if (text !== this.#text) {
      this.#text = text
      this.#timestamp = parseTimestamp(text)
    }
    return this.#timestamp
  }
}
