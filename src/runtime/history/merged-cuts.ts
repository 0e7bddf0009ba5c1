import type { NumberedEvent } from '../../ports/history.ts'
import type { CutDetail } from './cut-event.ts'

/** Cuts are merged within an hour of the recorded clock. */
export const HOUR_MS = 3_600_000

/** Cuts of streams that are older than this are merged by the hour. */
export const MERGED_AFTER_MS = 7 * 24 * HOUR_MS

/** How far a history is merged. */
export interface MergePlace {
  /** The number of the last event that was looked at. */
  readonly after: number
  /** Something belongs to the cut that comes next. */
  readonly isAlone: boolean
}

export const MERGE_START: MergePlace = { after: 0, isAlone: false }

/** What is to become of a stretch of the history. */
export interface MergedCuts {
  /** Cuts that stand for others too, under their own numbers. */
  readonly replaced: readonly NumberedEvent[]
  /** Those they stand for. */
  readonly gone: readonly NumberedEvent[]
  /** Where the next stretch begins: what may still grow is looked at again. */
  readonly place: MergePlace
  /** When the first cut that is too young is old enough, epoch ms; null where there is none in the stretch. */
  readonly dueAt: number | null
}

/**
 * Merges the old cuts of streams: those of one run and one hour of the recorded clock that follow each other, with nothing
 * between them, are one range with the last one's clock and offsets. A cut to which something else belongs (a gap, a record
 * left out) stays as it is. `events` are in order, and older than the others of the history that were not given yet.
 */
export function mergedCuts(events: readonly NumberedEvent[], begin: MergePlace, nowMs: number): MergedCuts {
  const replaced = new Map<number, NumberedEvent>()
  const gone: NumberedEvent[] = []
  let last: NumberedEvent | null = null
  let { after, isAlone } = begin
  let dueAt: number | null = null
  for (const event of events) {
    if (isStreamCut(event) && event.at > nowMs - MERGED_AFTER_MS) {
      dueAt = event.at + MERGED_AFTER_MS
      break
    }
    after = event.number
    if (!isStreamCut(event) || isAlone) {
      isAlone = event.kind !== 'cut'
      last = null
      continue
    }
    if (last !== null && follows(last, event)) {
      replaced.delete(last.number)
      gone.push(last)
      last = joined(last, event)
      replaced.set(last.number, last)
    } else {
      last = event
    }
  }
  const place = { after: last === null ? after : last.number - 1, isAlone }
  return { replaced: [...replaced.values()], gone, place, dueAt }
}

/** The details of cuts are what this program has written there itself. */
function detailOf({ detail }: NumberedEvent): CutDetail {
  return detail as unknown as CutDetail
}

function isStreamCut(event: NumberedEvent): boolean {
  if (event.kind !== 'cut') return false
  const { endless, partial, closeWindows, advanceTo } = detailOf(event)
  return endless === true && partial !== true && !closeWindows && advanceTo === null
}

function follows(before: NumberedEvent, event: NumberedEvent): boolean {
  const one = detailOf(before)
  const other = detailOf(event)
  const sameHour = Math.floor(before.at / HOUR_MS) === Math.floor(event.at / HOUR_MS)
  const isNext = Object.entries(other.from).every(([key, from]) => (one.offsets[key] ?? from) === from)
  return sameHour && isNext && before.runId === event.runId && one.jobHash === other.jobHash
}

function joined(before: NumberedEvent, event: NumberedEvent): NumberedEvent {
  const one = detailOf(before)
  const other = detailOf(event)
  const { goesOn: _, ...rest } = other
  const detail: CutDetail = {
    ...rest,
    from: { ...other.from, ...one.from },
    merged: (one.merged ?? 1) + (other.merged ?? 1),
    ...(one.goesOn === true ? { goesOn: true } : {}),
  }
  return { ...event, detail: { ...detail } }
}
