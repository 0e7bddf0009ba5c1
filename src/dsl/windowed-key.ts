import { unreachable } from '../core/errors.ts'
import type { Windowed } from '../core/windowed.ts'
import type { Serde } from '../serde/serde.ts'
import { calendarWindowed } from '../serde/windowed/calendar-windowed.ts'
import { sessionWindowed } from '../serde/windowed/session-windowed.ts'
import { timeWindowed } from '../serde/windowed/time-windowed.ts'
import type { WindowSpec } from '../topology/windows.ts'

/** The serde of the keys of a table with these windows: Kafka Streams' own where it has one. */
export function windowedKey(key: Serde<unknown>, windows: WindowSpec): Serde<Windowed<unknown>> {
  switch (windows.kind) {
    case 'time':
      return timeWindowed(key, windows.sizeMs)
    case 'calendar':
      return calendarWindowed(key)
    case 'sliding':
      return timeWindowed(key, windows.differenceMs)
    case 'session':
      return sessionWindowed(key)
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
