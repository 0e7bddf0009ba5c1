const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/**
 * Epoch ms of an ISO 8601 date or time; UTC where it names no zone. A date alone is its midnight. Undefined for any
 * other text, for a day that its month does not have, and for more than milliseconds.
 */
export function parseIsoTime(text: string): number | undefined {
  const parts = ISO.exec(text)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as SixNumbers
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const ms = Number((parts[7] ?? '').padEnd(3, '0'))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset = zoneMinutes(parts[8])
  if (offset === undefined) return undefined
  return date.setUTCHours(hour, minute, second, ms) - offset * 60_000
}

/** As `parseIsoTime`, of a text that may be finer than a millisecond; what is finer is cut off. */
export function parseFineIsoTime(text: string): number | undefined {
  return parseIsoTime(text) ?? parseIsoTime(text.replace(/(\.\d{3})\d+/, '$1'))
}

type SixNumbers = [number, number, number, number, number, number]

function zoneMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', ''))
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** The shortest ISO 8601 text of an instant, in UTC: `2013-01-01T06:00:00Z`. `@` and epoch ms past the year 9999. */
export function formatIsoTime(ms: number): string {
  if (!(ms >= 0 && ms < 253_402_300_800_000)) return `@${ms}`
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
