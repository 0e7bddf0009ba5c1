import type { CalendarUnit, CalendarWindows } from '../../topology/windows.ts'
import { DAY_MS, dayStart, localDay } from './calendar-day.ts'
import type { WindowFrames } from './window-frames.ts'

/** How days add up to windows: the number of the window that a day lies in, and the first day of a window. */
interface Calendar {
  readonly windowOf: (day: number) => number
  readonly firstDay: (window: number) => number
}

/** 1970 began on a Thursday: weeks begin on the Monday before. */
const MONDAY = 3

const CALENDARS: { readonly [Unit in CalendarUnit]: Calendar } = {
  day: { windowOf: (day) => day, firstDay: (window) => window },
  week: { windowOf: (day) => Math.floor((day + MONDAY) / 7), firstDay: (window) => window * 7 - MONDAY },
  month: {
    windowOf(day) {
      const date = new Date(day * DAY_MS)
      return date.getUTCFullYear() * 12 + date.getUTCMonth()
    },
    firstDay: (window) => Math.round(Date.UTC(Math.floor(window / 12), window % 12, 1) / DAY_MS),
  },
}

/** Windows that were looked up are remembered: of so many days. */
const REMEMBERED_DAYS = 1000

interface Frame {
  readonly start: number
  readonly end: number
}

/**
 * The windows of a calendar in a time zone: each ends where the next one begins, and so they cover all time from 0 on,
 * whatever clocks do. A day that a zone has left out has no window.
 */
export function calendarFrames({ unit, zone }: Pick<CalendarWindows, 'unit' | 'zone'>): WindowFrames {
  const { windowOf, firstDay } = CALENDARS[unit]
  /** By day of UTC: the windows that begin before it ends, from the one that it begins in. */
  const ofDay = new Map<number, readonly Frame[]>()
  let last: Frame = { start: 0, end: 0 }

  return {
    first: (time) => frameAt(time).start,
    next: (start) => frameAt(start).end,
    end: (start) => frameAt(start).end,
  }

  function frameAt(time: number): Frame {
    if (time >= last.start && time < last.end) return last
    const day = Math.floor(time / DAY_MS)
    let frames = ofDay.get(day)
    if (frames === undefined) {
      frames = framesOf(day * DAY_MS, (day + 1) * DAY_MS)
      if (ofDay.size >= REMEMBERED_DAYS) ofDay.clear()
      ofDay.set(day, frames)
    }
    const found = frames.find(({ start, end }) => time >= start && time < end)
    if (found === undefined) throw new Error(`no ${unit} in ${zone} contains ${time}`)
    last = found
    return found
  }

  function framesOf(from: number, to: number): readonly Frame[] {
    const frames: Frame[] = []
    // where midnight comes twice, the local day goes back once: begin one window early
    for (let window = windowOf(localDay(zone, from)) - 1; ; window++) {
      const start = startOf(window)
      if (start >= to) return frames
      const end = startOf(window + 1)
      if (end > from && end > start) frames.push({ start, end })
    }
  }

  function startOf(window: number): number {
    return Math.max(0, dayStart(zone, firstDay(window)))
  }
}
