import { describe, expect, it } from 'vitest'
import type { NumberedEvent } from '../../../src/ports/history.ts'
import { MERGE_START, MERGED_AFTER_MS, mergedCuts } from '../../../src/runtime/history/merged-cuts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** So late that all cuts of the first hours are old. */
const LATE = MERGED_AFTER_MS + 24 * HOUR_MS

/** A cut of a stream from one offset to another. Its number is that of its commit. */
function cut(number: number, atMs: number, [from, to]: readonly [number, number], more: object = {}): NumberedEvent {
  const detail = { from: { 'in/0': from }, offsets: { 'in/0': to }, advanceTo: null, closeWindows: false, jobHash: 'h' }
  return { kind: 'cut', number, seq: number, runId: 'r', at: atMs, detail: { ...detail, endless: true, ...more } }
}

function other(number: number, kind: NumberedEvent['kind']): NumberedEvent {
  return { kind, number, seq: number, runId: 'r', at: 0, detail: {} }
}

/** What is left, as `from-to` of its partition, with how many cuts it stands for. */
function left(events: readonly NumberedEvent[], nowMs = LATE): readonly string[] {
  const { replaced, gone } = mergedCuts(events, MERGE_START, nowMs)
  const removed = new Set(gone.map(({ number }) => number))
  return events
    .filter(({ number }) => !removed.has(number))
    .map((event) => replaced.find(({ number }) => number === event.number) ?? event)
    .map(({ kind, number, detail }) => {
      if (kind !== 'cut') return kind
      const {
        from,
        offsets,
        merged = 1,
      } = detail as Record<'from' | 'offsets', Record<string, number>> & { merged: number }
      return `${number}: ${from['in/0']}-${offsets['in/0']} of ${merged}`
    })
}

describe('old cuts of a stream', () => {
  it('are merged by the hour, to the last of them', () => {
    const events = [cut(1, 0, [0, 2]), cut(2, MINUTE_MS, [2, 3]), cut(3, HOUR_MS - 1, [3, 9]), cut(4, HOUR_MS, [9, 10])]
    expect(left(events)).toEqual(['3: 0-9 of 3', '4: 9-10 of 1'])
    const { replaced } = mergedCuts(events, MERGE_START, LATE)
    expect(replaced).toMatchObject([{ number: 3, seq: 3, at: HOUR_MS - 1, detail: { endless: true, jobHash: 'h' } }])
  })

  it('stay as they are for a week', () => {
    const events = [cut(1, 0, [0, 1]), cut(2, 1, [1, 2]), cut(3, 5, [2, 3])]
    expect(left(events, MERGED_AFTER_MS + 1)).toEqual(['2: 0-2 of 2', '3: 2-3 of 1'])
    const { dueAt, place } = mergedCuts(events, MERGE_START, MERGED_AFTER_MS + 1)
    expect([dueAt, place.after]).toEqual([MERGED_AFTER_MS + 5, 1])
  })

  it.each<[string, readonly NumberedEvent[]]>([
    ['of another run', [cut(1, 0, [0, 1]), { ...cut(2, 1, [1, 2]), runId: 'other' }]],
    ['of another job file', [cut(1, 0, [0, 1]), cut(2, 1, [1, 2], { jobHash: 'other' })]],
    ['that begin elsewhere', [cut(1, 0, [0, 1]), cut(2, 1, [5, 6])]],
    ['of runs that end', [cut(1, 0, [0, 1], { endless: undefined }), cut(2, 1, [1, 2], { endless: undefined })]],
    ['that were given up', [cut(1, 0, [0, 1]), cut(2, 1, [1, 2], { partial: true })]],
    ['with closed windows', [cut(1, 0, [0, 1]), cut(2, 1, [1, 2], { closeWindows: true })]],
    ['that advanced time', [cut(1, 0, [0, 1]), cut(2, 1, [1, 2], { advanceTo: 7 })]],
  ])('are not merged with those %s', (_, events) => {
    expect(mergedCuts(events, MERGE_START, LATE)).toMatchObject({ gone: [], replaced: [] })
  })

  it('stay alone where something belongs to them', () => {
    const cuts = [cut(1, 0, [0, 1]), other(2, 'skipped'), cut(3, 2, [1, 2]), cut(4, 3, [2, 3]), cut(5, 4, [3, 4])]
    expect(left(cuts)).toEqual(['1: 0-1 of 1', 'skipped', '3: 1-2 of 1', '5: 2-4 of 2'])
    expect(left([other(1, 'gap'), other(2, 'store-added'), cut(3, 0, [0, 1]), cut(4, 0, [1, 2])])).toHaveLength(4)
  })

  it('take a partition in that came with a later one', () => {
    const more = { from: { 'in/0': 1, 'in/1': 0 }, offsets: { 'in/0': 2, 'in/1': 4 } }
    const { replaced } = mergedCuts([cut(1, 0, [0, 1]), cut(2, 1, [1, 2], more)], MERGE_START, LATE)
    expect(replaced[0]?.detail).toMatchObject({ from: { 'in/0': 0, 'in/1': 0 }, offsets: { 'in/0': 2, 'in/1': 4 } })
  })

  it('come to the same, however few are looked at in one go', () => {
    const kinds = ['cut', 'cut', 'skipped', 'cut', 'cut', 'cut', 'gap', 'gap', 'cut', 'cut', 'cut', 'cut'] as const
    const all = kinds.map((kind, at) =>
      kind === 'cut' ? cut(at + 1, at * 9 * MINUTE_MS, [at, at]) : other(at + 1, kind),
    )
    const cuts = all.map((event) => ({ ...event, detail: { ...event.detail, from: {}, offsets: {} } }))
    const whole = mergedCuts(cuts, MERGE_START, LATE)
    const expected = cuts
      .filter(({ number }) => !whole.gone.some((each) => each.number === number))
      .map(({ number }) => number)
    for (const size of [2, 3, 5]) {
      let events: readonly NumberedEvent[] = cuts
      let place = MERGE_START
      for (;;) {
        const page = events.filter(({ number }) => number > place.after).slice(0, size)
        const { replaced, gone, place: next } = mergedCuts(page, place, LATE)
        events = events
          .filter(({ number }) => !gone.some((each) => each.number === number))
          .map((event) => replaced.find(({ number }) => number === event.number) ?? event)
        if (next.after === place.after) break
        place = next
      }
      expect({ size, left: events.map(({ number }) => number) }).toEqual({ size, left: expected })
    }
  })
})
