const SECOND_MS = 1000

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * How far the local clock of a zone (an IANA name) is ahead of UTC at an instant (epoch ms), in ms. Throws RangeError for a
 * zone that there is not. What it knows of zones is what the JavaScript engine knows.
 */
export function zoneOffset(zone: string, instant: number): number {
  const seconds = Math.floor(instant / SECOND_MS) * SECOND_MS
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(seconds)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  return format
}
