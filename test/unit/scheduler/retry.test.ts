import { describe, expect, it } from 'vitest'
import { runVerdict } from '../../../src/scheduler/run-verdict.ts'
import { scheduled } from './scheduled.ts'
import { DONE, failed, ScheduleWorld, type Script } from './support/schedule-world.ts'

const HOURLY = { schedule: '0 * * * *' }

/** Starts a job at 08:59 and lets it be 09:50. */
async function atNine(options: Parameters<typeof scheduled>[0], ...scripts: Script[]): Promise<ScheduleWorld> {
  const world = new ScheduleWorld('08:59', ...scripts)
  world.start(scheduled({ ...HOURLY, ...options }))
  await world.until('09:50')
  return world
}

describe('a run that fails', () => {
  it.each([
    ['the log cannot be reached', failed(69, 'LOG_UNREACHABLE')],
    ['a file is busy', failed(75, 'STATE_BUSY')],
    ['its process was killed', failed(null)],
  ])('for a reason that may pass is tried again, at growing intervals: %s', async (_, script) => {
    const retry = { attempts: 5, backoff: '1m', maxBackoff: '3m' }
    const world = await atNine({ retry }, script, script, script, script, DONE())
    expect(world.launched.map((each) => each.slice(0, 5))).toEqual(['09:00', '09:01', '09:03', '09:06', '09:09'])
    expect(world.slots()).toEqual(['09:00 scheduled covered run-5'])
    expect(world.hooks).toEqual([])
  })

  it.each([64, 65, 66, 70, 73, 74, 76, 78])('for good is not tried again: status %d', async (status) => {
    const world = await atNine({}, failed(status))
    expect(world.launched).toHaveLength(1)
    expect(world.slots()).toEqual(['09:00 scheduled failed run-1'])
    await world.until('10:00')
    expect(world.slots()).toEqual(['09:00 scheduled covered run-2', '10:00 scheduled covered run-2'])
  })

  it('as often as it is tried has failed for good', async () => {
    const unreachable = failed(69, 'LOG_UNREACHABLE')
    const world = await atNine({ onFailure: { url: 'http://h/' } }, unreachable, unreachable, unreachable)
    expect(world.launched).toEqual(['09:00 schedule', '09:00:10 schedule', '09:00:30 schedule'])
    expect(world.slots()).toEqual(['09:00 scheduled failed run-3'])
    expect(world.hooks).toHaveLength(1)
  })

  it('takes the slots along that come while it waits', async () => {
    const world = new ScheduleWorld('08:59', failed(69))
    const job = scheduled({ ...HOURLY, until: 'slot', settle: 0, retry: { backoff: '90m', maxBackoff: '2h' } })
    world.start(job)
    await world.until('10:30')
    expect(world.launched).toEqual(['09:00 schedule until 09:00', '10:30 schedule until 10:00'])
    expect(world.slots()).toEqual(['09:00 scheduled covered run-2', '10:00 scheduled covered run-2'])
  })

  it('because somebody else runs the job is no failure: the next slot covers it', async () => {
    const busy = failed(75, 'LOCKED')
    const world = await atNine({ pauseAfter: 1, onFailure: { url: 'http://h/' } }, busy, busy, busy)
    expect(world.launched).toHaveLength(3)
    expect(world.slots()).toEqual(['09:00 scheduled skipped -'])
    expect(world.hooks).toEqual([])
    expect(world.told('paused')).toEqual([])
    await world.until('10:00')
    expect(world.slots().at(0)).toBe('09:00 scheduled covered run-4')
  })
})

describe('a run that takes too long', () => {
  it('is stopped at the end of its slice, and tried again', async () => {
    const world = await atNine({ timeout: '5m', retry: { attempts: 2 } }, { stopsIn: 20_000 }, { stopsIn: null })
    expect(world.launched).toEqual(['09:00 schedule', '09:05:30 schedule'])
    // The second one does not stop: it is killed a minute after it was asked to.
    expect(world.told('ended').at(-1)).toMatchObject({ ended: { asked: 'timeout', end: { status: null } } })
    expect(world.slots()).toEqual(['09:00 scheduled failed -'])
  })

  it('but not one that is done in time', async () => {
    const world = await atNine({ timeout: '5m' }, DONE(5))
    expect(world.slots()).toEqual(['09:00 scheduled covered run-1'])
  })
})

describe('a run that somebody else stops', () => {
  it('is left to the next slot, and is no failure', async () => {
    const world = await atNine({ pauseAfter: 1 }, failed(143, 'TERMINATED'))
    expect(world.slots()).toEqual(['09:00 scheduled due -'])
    await world.until('10:00')
    expect(world.launched).toEqual(['09:00 schedule', '10:00 schedule'])
    expect(world.slots().at(0)).toBe('09:00 scheduled covered run-2')
  })
})

describe('hooks', () => {
  const hooks = { onSuccess: { url: 'http://h/' }, onFailure: { command: ['notify'] } }

  it('get the report of the run, and what the scheduler knows', async () => {
    const report = { status: 'done', records: 7 }
    const world = await atNine(hooks, failed(69, 'LOG_UNREACHABLE'), { takes: 0, end: { report } })
    expect(world.hooks).toMatchObject([
      {
        hook: { url: 'http://h/' },
        document: {
          event: 'success',
          job: 'copies',
          trigger: 'schedule',
          exitStatus: 0,
          attempts: 2,
          timedOut: false,
          runId: 'run-2',
          ...report,
        },
      },
    ])
  })

  it('are told why a run failed, or that it crashed', async () => {
    const world = await atNine({ ...hooks, retry: { attempts: 1 } }, failed(65))
    world.usually(failed(null))
    await world.until('10:30')
    expect(world.hooks).toMatchObject([
      { hook: { command: ['notify'] }, document: { event: 'failure', exitStatus: 65, error: { code: 'BAD_DATA' } } },
      { document: { event: 'failure', exitStatus: null, status: 'crashed', problem: 'killed by SIGKILL' } },
    ])
  })

  it('that fail are told, and change nothing', async () => {
    const world = new ScheduleWorld('08:59')
    world.hook = async () => {
      throw new Error('nobody there')
    }
    const { ended, stop } = world.start(scheduled({ ...HOURLY, ...hooks }))
    await world.until('09:30')
    expect(world.told('hook-failed')).toMatchObject([{ job: 'copies', error: { message: 'nobody there' } }])
    stop()
    await expect(ended).resolves.toMatchObject([{ done: 1, failed: 0, status: 0 }])
  })

  it('have been called when the scheduler ends', async () => {
    const world = new ScheduleWorld('08:59')
    let answer: () => void = () => undefined
    world.hook = () => new Promise((resolve) => (answer = resolve))
    const { ended, stop } = world.start(scheduled({ ...HOURLY, ...hooks }))
    await world.until('09:30')
    stop()
    let over = false
    const watched = ended.then(() => (over = true))
    await world.alarms.settled()
    expect(over).toBe(false)
    answer()
    await watched
  })
})

it('how a process ended decides what follows', () => {
  const end = (status: number | null, code?: string) => ({
    status,
    problem: null,
    report: code ? { error: { code } } : null,
  })
  expect([69, 75, null].map((status) => runVerdict(end(status), null))).toEqual(['again', 'again', 'again'])
  expect(['LOCKED', 'LEASED', 'FENCED', 'STATE_BUSY'].map((code) => runVerdict(end(75, code), null))).toEqual([
    'busy',
    'busy',
    'again',
    'again',
  ])
  expect([130, 143].map((status) => runVerdict(end(status), null))).toEqual(['stopped', 'stopped'])
  expect((['end', 'newer-slot', 'timeout'] as const).map((asked) => runVerdict(end(143), asked))).toEqual([
    'stopped',
    'stopped',
    'again',
  ])
  expect(runVerdict(end(0), 'end')).toBe('done')
})
