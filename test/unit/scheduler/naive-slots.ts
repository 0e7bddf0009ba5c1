/** The fields of a random expression, as text and as the values that it means. */
export interface NaiveFields {
  readonly minute: NaiveField
  readonly hour: NaiveField
  readonly day: NaiveField
  readonly month: NaiveField
  readonly weekday: NaiveField
}

export interface NaiveField {
  readonly text: string
  readonly values: readonly number[]
}

interface Shown {
  readonly date: string
  readonly hour: number
  readonly minute: number
}

const MINUTE = 60_000

/**
 * What `slotsBetween` is compared with: looks at every minute of real time, or at every `step`. An interval is due at each minute whose local
 * clock matches. A time of day is due, for each local day, at the first minute that shows that time or a later one.
 */
export function naiveSlots(
  fields: NaiveFields,
  zone: string,
  from: number,
  to: number,
  step = MINUTE,
): readonly number[] {
  const interval = fields.minute.text.startsWith('*') || fields.hour.text.startsWith('*')
  const slots = new Set<number>()
  const taken = new Set<string>()
  // From two days before, so that a time of day is not taken for new on the day that `from` lies in.
  for (let instant = from - 2880 * MINUTE; instant < to; instant += step) {
    const { date, hour, minute } = shownAt(zone, instant)
    if (!matchesDate(fields, date)) continue
    for (const h of fields.hour.values) {
      for (const m of fields.minute.values) {
        if (interval) {
          if (h === hour && m === minute) slots.add(instant)
        } else if (hour * 60 + minute >= h * 60 + m && !taken.has(`${date} ${h}:${m}`)) {
          taken.add(`${date} ${h}:${m}`)
          slots.add(instant)
        }
      }
    }
  }
  return [...slots].filter((slot) => slot >= from)
}

function matchesDate({ day, month, weekday }: NaiveFields, date: string): boolean {
  const utc = new Date(`${date}T00:00Z`)
  if (!month.values.includes(utc.getUTCMonth() + 1)) return false
  const byDay = day.values.includes(utc.getUTCDate())
  const byWeekday = weekday.values.includes(utc.getUTCDay())
  return day.text.startsWith('*') || weekday.text.startsWith('*') ? byDay && byWeekday : byDay || byWeekday
}

const formats = new Map<string, Intl.DateTimeFormat>()
const shown = new Map<string, Shown>()

/** What the local clock shows; remembered, because many cases look at the same days. */
function shownAt(zone: string, instant: number): Shown {
  const known = shown.get(`${zone} ${instant}`)
  if (known !== undefined) return known
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(zone, format)
  const [date = '', time = ''] = format.format(instant).split(' ')
  const [hour, minute] = time.split(':').map(Number)
  const found = { date, hour: hour!, minute: minute! }
  shown.set(`${zone} ${instant}`, found)
  return found
}
