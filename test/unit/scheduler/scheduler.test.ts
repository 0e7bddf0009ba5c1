import { describe, expect, it } from 'vitest'
import { TidemarkError } from '../../../src/core/errors.ts'
import { at, hourly, scheduled } from './scheduled.ts'
import { DONE, failed, ScheduleWorld } from './support/schedule-world.ts'

const ONCE = { once: true }

describe('once', () => {
  it('notes the first start, and ends', async () => {
    const world = new ScheduleWorld('08:30')
    await expect(world.start(hourly(), ONCE).ended).resolves.toMatchObject([
      { job: 'copies', done: 0, failed: 0, status: 0, next: at('09:00'), error: null },
    ])
    expect(world.launched).toEqual([])
  })

  it('runs what is due and ends', async () => {
    const world = new ScheduleWorld('08:30').usually(DONE(3))
    await world.start(hourly(), ONCE).ended
    await world.until('10:00:04')
    const { ended } = world.start(hourly(), ONCE)
    await world.until('10:10')
    await expect(ended).resolves.toMatchObject([{ done: 1, status: 0, report: { runId: 'run-1' } }])
    expect(world.slots()).toEqual(['09:00 missed covered run-1', '10:00 scheduled covered run-1'])
    expect(world.clock.now()).toBe(at('10:10'))
  })

  it('waits for a slot to settle that has come', async () => {
    const world = new ScheduleWorld('08:30')
    const job = scheduled({ schedule: '0 * * * *', until: 'slot', settle: '5m' })
    await world.start(job, ONCE).ended
    await world.until('09:00:02')
    const { ended } = world.start(job, ONCE)
    await world.until('09:06')
    await expect(ended).resolves.toMatchObject([{ done: 1, next: at('10:00') }])
    expect(world.launched).toEqual(['09:05 schedule until 09:00'])
  })

  it('tries again, and ends with the status of what failed for good', async () => {
    const world = new ScheduleWorld('08:30', failed(69), failed(65))
    await world.start(hourly(), ONCE).ended
    await world.until('09:00')
    const { ended } = world.start(hourly(), ONCE)
    await world.until('09:10')
    await expect(ended).resolves.toMatchObject([{ done: 0, failed: 1, status: 65 }])
    expect(world.launched).toHaveLength(2)
  })

  it('makes the queued run too', async () => {
    const world = new ScheduleWorld('08:30', DONE(70))
    const job = scheduled({ schedule: '0 * * * *', overlap: 'queue' })
    await world.start(job, ONCE).ended
    await world.until('09:00')
    const { ended } = world.start(job, ONCE)
    await world.until('10:20')
    await expect(ended).resolves.toMatchObject([{ done: 2 }])
    expect(world.launched).toEqual(['09:00 schedule', '10:10 catch-up'])
  })

  it('leaves a job to the scheduler that has it, and says so', async () => {
    const world = new ScheduleWorld('08:30')
    world.start(hourly())
    const other = { ...scheduled({ schedule: '0 * * * *' }), name: 'other' }
    const outcomes = await world.start([hourly(), other], ONCE).ended
    expect(outcomes).toMatchObject([{ status: 75, error: { code: 'LOCKED' } }, { status: 0 }])
    expect(outcomes[0]?.error?.message).toContain('another scheduler has copies')
  })
})

describe('now', () => {
  it('makes a run although none is due, in a pause too, and covers what was open', async () => {
    const world = new ScheduleWorld('08:30', failed(65))
    const first = world.start(hourly())
    await world.until('09:30')
    first.kill()
    world.state.jobFile('copies').schedule.pause(at('09:30'), 'no')
    const { ended } = world.start(hourly(), { once: true, now: true })
    await world.until('09:31')
    await expect(ended).resolves.toMatchObject([{ done: 1 }])
    expect(world.launched).toEqual(['09:00 schedule', '09:30 now'])
    expect(world.slots()).toEqual(['09:00 scheduled covered run-2'])
  })

  it('goes until what has settled by now, where runs go until their slot', async () => {
    const world = new ScheduleWorld('08:30')
    const job = scheduled({ schedule: '0 * * * *', until: 'slot', settle: '5m' })
    const { ended } = world.start(job, { once: true, now: true })
    await world.until('08:31')
    await expect(ended).resolves.toMatchObject([{ done: 1 }])
    expect(world.launched).toEqual(['08:30 now until 08:25'])
  })
})

describe('the end of the scheduler', () => {
  it('comes at once where nothing runs', async () => {
    const world = new ScheduleWorld('08:30')
    const { ended, stop } = world.start(hourly())
    await world.until('08:40')
    stop()
    await expect(ended).resolves.toMatchObject([{ done: 0, status: 0, next: at('09:00') }])
    await world.until('10:00')
    expect(world.launched).toEqual([])
  })

  it('comes when the runs have stopped, and leaves their slots due', async () => {
    const world = new ScheduleWorld('08:30', { stopsIn: 300_000 })
    const { ended, stop } = world.start(hourly())
    await world.until('09:10')
    stop()
    let over = false
    const watched = ended.then((outcomes) => {
      over = true
      return outcomes
    })
    await world.until('09:14')
    expect(over).toBe(false)
    await world.until('09:15')
    await expect(watched).resolves.toMatchObject([{ done: 0, failed: 0 }])
    expect(world.slots()).toEqual(['09:00 scheduled due -'])
    world.start(hourly())
    await world.until('09:16')
    expect(world.slots()).toEqual(['09:00 scheduled covered run-2'])
  })

  it('does not wait for what is to be tried again, or for a place', async () => {
    const world = new ScheduleWorld('08:30', failed(69), {})
    const other = { ...hourly(), name: 'other', command: 'other' }
    const third = { ...hourly(), name: 'third', command: 'third' }
    const { ended, stop } = world.start([hourly(), other, third], { maxRuns: 1 })
    await world.until('09:00:05')
    stop()
    await world.until('09:00:06')
    await expect(ended).resolves.toHaveLength(3)
    expect(world.launched).toHaveLength(2)
  })

  it('comes by itself where no slot comes any more', async () => {
    const world = new ScheduleWorld('08:30')
    const { ended } = world.start(scheduled({ schedule: '0 * * * *', endDate: '2025-06-02T10:30Z' }))
    await world.until('11:00')
    await expect(ended).resolves.toMatchObject([{ done: 2, next: null }])
  })
})

describe('trouble with job.db', () => {
  function troubled(code: 'STATE_BUSY' | 'STATE_DAMAGED', times: number) {
    const world = new ScheduleWorld('08:30')
    const { schedule } = world.state.jobFile('copies')
    const decide = schedule.decide.bind(schedule)
    let left = times
    schedule.decide = (...args) => {
      if (world.clock.now() >= at('09:00') && left-- > 0) throw new TidemarkError(code, 'no')
      decide(...args)
    }
    return world
  }

  it('that passes is waited out', async () => {
    const world = troubled('STATE_BUSY', 2)
    world.start(hourly())
    await world.until('09:30')
    expect(world.told('trouble')).toHaveLength(2)
    expect(world.launched).toEqual(['09:00:20 schedule'])
    expect(world.slots()).toEqual(['09:00 scheduled covered run-1'])
  })

  it('that stays is the end of that job, and of no other', async () => {
    const world = troubled('STATE_DAMAGED', 99)
    const other = { ...hourly(), name: 'other' }
    const { ended, stop } = world.start([hourly(), other])
    await world.until('10:30')
    stop()
    await expect(ended).resolves.toMatchObject([
      { done: 0, status: 76, error: { code: 'STATE_DAMAGED' } },
      { done: 2, status: 0, error: null },
    ])
  })
})
