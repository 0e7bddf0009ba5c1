import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SlotRow, Timetable } from '../../../src/ports/schedule-table.ts'
import type { JobFile } from '../../../src/ports/state-file.ts'
import { BACKENDS, type Backend } from './backends.ts'

const TIMETABLE: Timetable = { expression: '0 */6 * * *', timezone: 'Europe/Berlin', since: 5, decidedTo: 60 }

function slot(at: number, changes: Partial<SlotRow> = {}): SlotRow {
  return { slot: at, first: at, count: 1, cause: 'scheduled', state: 'due', decidedAt: at + 3, runId: null, ...changes }
}

describe.each(BACKENDS)('the schedule in a job file (%s)', (_, make) => {
  let backend: Backend
  let file: JobFile
  const schedule = () => file.schedule
  const slots = () =>
    schedule()
      .slots()
      .map((row) => row.slot)
  beforeEach(() => {
    backend = make()
    file = backend.directory.jobFile('orders')
  })
  afterEach(() => {
    file.close()
    backend.dispose()
  })

  it('has nothing at first', () => {
    expect(schedule().read()).toEqual({ timetable: null, failures: 0, pause: null })
    expect(schedule().slots()).toEqual([])
    expect(schedule().open()).toEqual([])
  })

  it('gives what was decided as it was put, newest first, to others too', () => {
    const missed = slot(30, { first: 10, count: 4, cause: 'missed', state: 'skipped', runId: 'run-1' })
    schedule().decide(TIMETABLE, [missed, slot(40)])
    schedule().decide({ ...TIMETABLE, decidedTo: 80 }, [])
    const other = backend.directory.jobFile('orders')
    expect(other.schedule.read().timetable).toEqual({ ...TIMETABLE, decidedTo: 80 })
    expect(other.schedule.slots()).toEqual([slot(40), missed])
    expect(other.schedule.slots(1)).toEqual([slot(40)])
    other.close()
  })

  it('decides on a slot once: a second time changes nothing', () => {
    schedule().decide(TIMETABLE, [slot(10)])
    expect(() => schedule().decide({ ...TIMETABLE, decidedTo: 90 }, [slot(20), slot(10)])).toThrow()
    expect(slots()).toEqual([10])
    expect(schedule().read().timetable).toEqual(TIMETABLE)
  })

  it('marks slots, and lists oldest first those that no run has covered', () => {
    schedule().decide(TIMETABLE, [slot(10), slot(20), slot(30), slot(40)])
    schedule().mark([10, 30, 99], 'covered', 'run-1')
    schedule().mark([20], 'failed', 'run-2')
    expect(schedule().open()).toEqual([slot(20, { state: 'failed', runId: 'run-2' }), slot(40)])
    expect(schedule().slots(3).at(-2)).toEqual(slot(30, { state: 'covered', runId: 'run-1' }))
  })

  it('forgets old slots that are covered', () => {
    schedule().decide(
      TIMETABLE,
      [10, 20, 30, 40, 50].map((at) => slot(at)),
    )
    schedule().mark([10, 30, 40, 50], 'covered', 'run-1')
    schedule().prune(5)
    expect(slots()).toEqual([50, 40, 30, 20, 10])
    schedule().prune(2)
    expect(slots()).toEqual([50, 40, 20])
    schedule().prune(0)
    expect(slots()).toEqual([20])
  })

  it('counts failures in a row', () => {
    expect([schedule().countFailure(), schedule().countFailure()]).toEqual([1, 2])
    expect(schedule().read().failures).toBe(2)
    schedule().clearFailures()
    expect(schedule().read().failures).toBe(0)
    expect(schedule().countFailure()).toBe(1)
  })

  it('pauses with a reason, before a scheduler has the job too, and keeps the first one', () => {
    schedule().pause(10, 'the broker moves')
    schedule().pause(20, 'again')
    expect(schedule().read()).toEqual({
      timetable: null,
      failures: 0,
      pause: { since: 10, reason: 'the broker moves', until: null },
    })
  })

  it('resumes: the pause has an end, and failures are forgotten', () => {
    schedule().resume(5)
    expect(schedule().read().pause).toBeNull()
    schedule().countFailure()
    schedule().pause(10, 'no')
    schedule().resume(30)
    expect(schedule().read()).toMatchObject({ failures: 0, pause: { since: 10, reason: 'no', until: 30 } })
    schedule().resume(40)
    expect(schedule().read().pause?.until).toBe(30)
    schedule().pause(50, 'later')
    expect(schedule().read().pause).toEqual({ since: 50, reason: 'later', until: null })
  })

  it('resumes where a clock was ahead: what it decided on ahead of time is forgotten', () => {
    schedule().decide({ ...TIMETABLE, decidedTo: 901 }, [slot(20), slot(30), slot(900)])
    schedule().mark([20, 30, 900], 'covered', 'run-1')
    schedule().resume(30)
    expect(schedule().read().timetable?.decidedTo).toBe(30)
    expect(slots()).toEqual([20])
    schedule().resume(50)
    expect(schedule().read().timetable?.decidedTo).toBe(30)
  })

  it('keeps the timetable and the generations apart from the pause', () => {
    schedule().decide(TIMETABLE, [])
    schedule().pause(10, 'no')
    expect(schedule().read().timetable).toEqual(TIMETABLE)
    schedule().decide({ ...TIMETABLE, decidedTo: 90 }, [])
    expect(schedule().read().pause?.reason).toBe('no')
    expect(file.generations()).toEqual([])
  })
})
