import { getTasks } from 'node-cron'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cronAlarms } from '../../../src/adapters/cron/cron-alarms.ts'

const DAY = 86_400_000
const NOON = Date.parse('2025-06-01T12:00:00.300Z')

describe('an alarm', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOON })
  })
  afterEach(() => {
    vi.useRealTimers()
    expect(getTasks().size).toBe(0)
  })

  const rung: number[] = []
  /** An immediate takes a millisecond of the time that is made here. */
  const expectRungAt = (at: number, within = 1) => {
    expect(rung).toHaveLength(1)
    expect(rung[0]).toBeGreaterThanOrEqual(at)
    expect(rung[0]).toBeLessThanOrEqual(at + within)
  }
  const set = (at: number) => {
    rung.length = 0
    return cronAlarms.set(at, () => rung.push(Date.now()))
  }

  it.each([NOON - DAY, NOON])(
    'at %d, which the clock shows already, rings at once and not inside the call',
    async (at) => {
      set(at)
      expect(rung).toEqual([])
      await vi.advanceTimersByTimeAsync(0)
      expectRungAt(NOON)
    },
  )

  it('rings at its second, once', async () => {
    const at = Date.parse('2025-06-01T12:00:07Z')
    set(at)
    await vi.advanceTimersByTimeAsync(DAY)
    expectRungAt(at)
  })

  it('never rings early: a part of a second is rounded up', async () => {
    set(NOON + 5)
    await vi.advanceTimersByTimeAsync(2000)
    expectRungAt(Date.parse('2025-06-01T12:00:01Z'))
  })

  it('is not rung by a timer that is full after 24.8 days', async () => {
    const at = NOON + 26 * DAY
    set(at)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(rung).toEqual([])
    vi.setSystemTime(at - 30_000)
    await vi.advanceTimersByTimeAsync(120_000)
    expectRungAt(at, 60_000)
  })

  it('rings over the turn of a year', async () => {
    vi.setSystemTime('2025-12-31T23:59:40Z')
    const at = Date.parse('2026-01-01T00:00:20Z')
    set(at)
    await vi.advanceTimersByTimeAsync(60_000)
    expectRungAt(at)
  })

  it('rings within a minute of waking where the machine slept, or its clock was set forward', async () => {
    const at = NOON + 6 * 3_600_000
    set(at)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.setSystemTime(at + 5000)
    await vi.advanceTimersByTimeAsync(60_000)
    expectRungAt(at, 66_000)
  })

  it('does not ring before the clock shows its time, where that was set back', async () => {
    const at = NOON + 30_000
    set(at)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.setSystemTime(NOON - DAY)
    await vi.advanceTimersByTimeAsync(DAY)
    expect(rung).toEqual([])
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expectRungAt(at, 60_000)
  })

  it('is cancelled', async () => {
    const alarms = [NOON, NOON + 500, NOON + 3_600_000].map(set)
    await vi.advanceTimersByTimeAsync(0)
    for (const alarm of [...alarms, ...alarms]) alarm.cancel()
    rung.length = 0
    await vi.advanceTimersByTimeAsync(DAY)
    expect(rung).toEqual([])
  })
})
