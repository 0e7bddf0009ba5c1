import { formatDuration } from '../../core/duration.ts'
import { thousands } from '../../core/thousands.ts'

/** A whole number: `336,776`. */
export function countInWords(count: number): string {
  return thousands(count)
}

/** `1 row`, `336,776 rows`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${countInWords(count)} ${count === 1 ? noun : plural}`
}

/** `812 B`, `7.8 MB`: decimal units. */
export function bytesInWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let amount = bytes
  let unit = 0
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000
    unit++
  }
  return `${unit === 0 || amount >= 99.5 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`
}

/** A time as ISO 8601 in UTC, without the parts that are 0: `2013-01-01T05:00Z`, `2013-01-01T05:00:00.123Z`. */
export function timeInWords(epochMs: number): string {
  const iso = isoTime(epochMs)
  if (!iso.endsWith('.000Z')) return iso
  return iso.endsWith(':00.000Z') ? `${iso.slice(0, -8)}Z` : `${iso.slice(0, -5)}Z`
}

/** When something was done, to the second: `2026-11-30T21:20:06Z`. */
export function secondInWords(epochMs: number): string {
  return isoTime(epochMs).replace(/\.\d{3}Z$/, 'Z')
}

/** A time that was written for JSON, for people: as `timeInWords` has it. */
export function isoTimeInWords(iso: string): string {
  const epochMs = Date.parse(iso)
  return Number.isNaN(epochMs) ? iso : timeInWords(epochMs)
}

/** A time for JSON: ISO 8601 in UTC with milliseconds; `@` and the number for times that have no date. */
export function isoTime(epochMs: number): string {
  const date = new Date(epochMs)
  return Number.isNaN(date.getTime()) ? `@${epochMs}` : date.toISOString()
}

/** `2.1s`, `1m 20s`: finer than `formatDuration` below a minute. */
export function tookInWords(ms: number): string {
  return ms >= 1000 && ms < 59_950 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms)
}
