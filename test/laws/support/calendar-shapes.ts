import { type CalendarUnit, calendar, calendarWindowed, json, string, topic } from 'tidemark'
import { type OperatorShape, perWindow } from './operator-shape.ts'
import { INPUT, type Item, LATE_OUT } from './topics.ts'

const HOUR = 3_600_000

interface Months {
  readonly unit: CalendarUnit
  readonly zone: string
  /** When clocks change. */
  readonly change: string
  /** What a ms of the records becomes; the change comes after 30 of them. */
  readonly hours: number
  readonly emit: 'on-update' | 'on-window-close'
}

const CLOSED = topic('out-calendar', { key: calendarWindowed(string()), value: json<string>() })

/** Aggregates of days, weeks or months; the records are spread over a time in which clocks change. */
function inCalendar({ unit, zone, change, hours, emit }: Months): OperatorShape {
  return ({ stream }, { grace }) => {
    const logs = stream(INPUT)
      .filter((value) => value !== null)
      .processValues('spread', { value: json<Item>() }, (_, forward) => ({ value, timestamp }) => {
        forward({ value, timestamp: Date.parse(change) + (timestamp - 30) * hours * HOUR })
      })
      .groupByKey()
      .windowedBy(calendar(unit, { zone, grace: grace * hours * HOUR }))
      .aggregate(
        'logs',
        { init: () => '', add: (log: string, { n }: Item) => `${log}${n},`, serde: string() },
        { emit },
      )
    logs.late().to(LATE_OUT)
    logs.to(CLOSED)
    perWindow(logs.toStream())
  }
}

const spring = '2024-03-31T01:00:00Z'
const autumn = '2024-11-03T06:00:00Z'
const howe = '2024-04-06T15:00:00Z'

/** Days, weeks and months of zones that change their clocks meanwhile. */
export const CALENDAR_SHAPES = {
  'days in spring': inCalendar({ unit: 'day', zone: 'Europe/Berlin', change: spring, hours: 3, emit: 'on-update' }),
  'days in autumn, closed': inCalendar({
    unit: 'day',
    zone: 'America/New_York',
    change: autumn,
    hours: 3,
    emit: 'on-window-close',
  }),
  weeks: inCalendar({ unit: 'week', zone: 'Europe/Berlin', change: spring, hours: 12, emit: 'on-update' }),
  'weeks, closed': inCalendar({
    unit: 'week',
    zone: 'Australia/Lord_Howe',
    change: howe,
    hours: 12,
    emit: 'on-window-close',
  }),
  months: inCalendar({ unit: 'month', zone: 'America/New_York', change: autumn, hours: 48, emit: 'on-update' }),
  'months, closed': inCalendar({
    unit: 'month',
    zone: 'Europe/Berlin',
    change: spring,
    hours: 48,
    emit: 'on-window-close',
  }),
} satisfies Readonly<Record<string, OperatorShape>>
