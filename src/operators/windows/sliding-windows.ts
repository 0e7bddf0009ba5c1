import type { KeyTimeRow } from '../state.ts'
import type { SlidingUpdate } from './sliding-update.ts'

/**
 * Adds a record at `differenceMs` or later to its windows: first those that are there, latest start first; then, as far
 * as they are new, the right window of the record before, its own left one and its own right one.
 */
export function addToWindows(update: SlidingUpdate, differenceMs: number): void {
  const { timestamp } = update
  const leftStart = timestamp - differenceMs
  const rows = update.rows(Math.max(0, leftStart - differenceMs), timestamp + 2)
  let rightIsThere = false
  let leftIsThere = false
  let before: unknown = null
  let beforeTime = -1
  let later: unknown = null
  let laterTime = -1
  for (let at = rows.length - 1; at >= 0; at--) {
    const { time: start, value, timestamp: latest } = rows[at] as KeyTimeRow
    if (start > timestamp) {
      rightIsThere = true
    } else if (start > leftStart) {
      if (laterTime < 0) {
        later = value
        laterTime = latest
      }
      update.add(start, value, latest)
    } else if (start === leftStart) {
      update.add(start, value, latest)
      if (latest >= timestamp) return // a record of this time has made all windows
      leftIsThere = true
      beforeTime = latest
    } else {
      before = value
      beforeTime = latest
      break
    }
  }
  if (beforeTime >= leftStart - 1 && beforeTime >= 0 && !hasStart(rows, beforeTime + 1)) update.addFirst(beforeTime + 1)
  if (!leftIsThere) {
    if (beforeTime >= 0 && beforeTime >= leftStart) update.add(leftStart, before, timestamp)
    else update.addFirst(leftStart)
  }
  if (!rightIsThere && laterTime > timestamp) update.copy(timestamp + 1, later, laterTime)
}

/**
 * Adds a record before `differenceMs`, whose left window would begin before time does: all such records share the window
 * `[0, differenceMs]`. First the others that are there, earliest start first; then its own right window, that of the
 * record before, and the shared one.
 */
export function addToEarlyWindows(update: SlidingUpdate): void {
  const { timestamp } = update
  const rows = update.rows(0, timestamp + 2)
  let rightIsThere = false
  let shared: KeyTimeRow | null = null
  let later: unknown = null
  let laterTime = -1
  for (const row of rows) {
    const { time: start, value, timestamp: latest } = row
    if (start === 0) {
      shared = row
    } else if (start <= timestamp) {
      later = value
      laterTime = latest
      update.add(start, value, latest)
    } else {
      rightIsThere = true
    }
  }
  const sharedValue = shared === null ? null : shared.value
  const sharedTime = shared === null ? -1 : shared.timestamp
  if (laterTime < 0 && sharedTime > timestamp) {
    later = sharedValue
    laterTime = sharedTime
  }
  if (!rightIsThere && laterTime > timestamp) update.copy(timestamp + 1, later, laterTime)
  if (sharedTime >= 0 && sharedTime < timestamp && !hasStart(rows, sharedTime + 1)) update.addFirst(sharedTime + 1)
  if (shared === null) update.addFirst(0)
  else update.add(0, sharedValue, sharedTime)
}

function hasStart(rows: readonly KeyTimeRow[], start: number): boolean {
  for (const row of rows) if (row.time === start) return true
  return false
}
