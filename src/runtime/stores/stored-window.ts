import { unreachable } from '../../core/errors.ts'
import { calendarFrames } from '../../operators/windows/calendar-frames.ts'
import type { StoreRow } from '../../ports/store-table.ts'
import type { Node, StoreRef } from '../../topology/nodes.ts'
import type { ProcessStore } from '../../topology/processor/process-store.ts'
import type { CalendarWindows } from '../../topology/windows.ts'

/** Where the window of a row begins and ends, epoch ms; of a row of a history: from when, and up to when, it was valid. */
export interface StoredWindow {
  readonly start: number
  readonly end: number
}

/** How the rows of a store tell their windows. */
export interface StoredWindows {
  readonly of: (row: StoreRow) => StoredWindow
  /** The time of a row is the start of its window. */
  readonly byStart: boolean
}

/** Rows by (key, end, start). */
const BY_END: StoredWindows = { of: ({ time, ordinal }) => ({ start: ordinal, end: time }), byStart: false }

/** How the rows of a store of this node tell their windows; null for a store without windows. */
export function storedWindows(node: Node, store: StoreRef): StoredWindows | null {
  if ('history' in node && node.history === store) return BY_END
  if (node.kind === 'process') return ofDeclared(node.declared, store)
  if (node.kind !== 'windowed-aggregate' || node.store !== store) return null
  const { windows } = node
  switch (windows.kind) {
    case 'time':
      return ofSize(windows.sizeMs)
    case 'calendar':
      return ofCalendar(windows)
    case 'sliding':
      return ofSize(windows.differenceMs)
    case 'session':
      return BY_END
    default:
      return unreachable(windows, 'the kind of windows')
  }
}

function ofDeclared(declared: readonly ProcessStore[], store: StoreRef): StoredWindows | null {
  const mine = declared.find((each) => each.store === store || each.history === store)
  if (mine?.kind === 'session' || mine?.history === store) return BY_END
  return mine?.windowMs === undefined ? null : ofSize(mine.windowMs)
}

function ofCalendar(windows: CalendarWindows): StoredWindows {
  const frames = calendarFrames(windows)
  return { of: ({ time }) => ({ start: time, end: frames.end(time) }), byStart: true }
}

function ofSize(sizeMs: number): StoredWindows {
  return { of: ({ time }) => ({ start: time, end: time + sizeMs }), byStart: true }
}
