import type { SlotCause, SlotRow, SlotState } from '../ports/schedule-table.ts'

/** So many slots of one decision have rows of their own; older ones share. A job of every second may miss millions. */
export const MOST_ROWS = 1000

type Fate = { readonly cause: SlotCause; readonly state: SlotState }
type Row = Pick<SlotRow, 'slot' | 'first' | 'count' | 'cause' | 'state'>

/** Rows for slots, oldest first. `slots` is gone through twice. */
export function rowsOfSlots(slots: Iterable<number>, fate: (slot: number) => Fate): readonly Row[] {
  let total = 0
  for (const _ of slots) total++
  const rows: Row[] = []
  let index = 0
  for (const slot of slots) {
    index++
    const { cause, state } = fate(slot)
    const before = rows.at(-1)
    const shares = index <= total - MOST_ROWS + 1 && before?.cause === cause && before.state === state
    if (shares) rows[rows.length - 1] = { ...before, slot, count: before.count + 1 }
    else rows.push({ slot, first: slot, count: 1, cause, state })
  }
  return rows
}
