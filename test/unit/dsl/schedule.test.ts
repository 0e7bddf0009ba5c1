import { type JobBuilder, type JobOptions, job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { invalid, numbers, out } from './topics.ts'

const copies = ({ stream }: JobBuilder) => stream(numbers).to(out)
const settings = (options: JobOptions) => job('copies', options, copies).settings

describe('the schedule of a job', () => {
  it('has every default filled in', () => {
    expect(settings({ schedule: '@daily' })).toMatchObject({
      schedule: '@daily',
      timezone: 'UTC',
      until: 'now',
      settleMs: 0,
      advanceTime: false,
      overlap: 'skip',
      missedWithinMs: null,
      startDate: null,
      endDate: null,
      jitterMs: 0,
      retry: { attempts: 3, backoffMs: 10_000, maxBackoffMs: 600_000 },
      timeoutMs: null,
      pauseAfter: null,
      onSuccess: null,
      onFailure: null,
    })
  })

  it('takes what it is given', () => {
    const given = settings({
      until: 'slot',
      settle: '90s',
      advanceTime: true,
      overlap: 'cancel',
      missed: { within: '6h' },
      startDate: '2025-03-01',
      endDate: '2025-04-01T06:00+02:00',
      jitter: '2m',
      retry: { attempts: 5, backoff: '1m' },
      timeout: '1h',
      pauseAfter: 4,
      onSuccess: { url: 'http://127.0.0.1:9/done' },
      onFailure: { command: ['notify', '-u'] },
    })
    expect(given).toMatchObject({
      until: 'slot',
      settleMs: 90_000,
      advanceTime: true,
      overlap: 'cancel',
      missedWithinMs: 21_600_000,
      startDate: Date.UTC(2025, 2, 1),
      endDate: Date.UTC(2025, 3, 1, 4),
      jitterMs: 120_000,
      retry: { attempts: 5, backoffMs: 60_000, maxBackoffMs: 600_000 },
      timeoutMs: 3_600_000,
      pauseAfter: 4,
      onSuccess: { url: 'http://127.0.0.1:9/done' },
      onFailure: { command: ['notify', '-u'] },
    })
    for (const part of [given.retry, given.onSuccess, given.onFailure]) expect(Object.isFrozen(part)).toBe(true)
  })

  it('settles for five minutes before a run that goes until its slot', () => {
    expect(settings({ until: 'slot' }).settleMs).toBe(300_000)
  })

  it('skips what is missed by more than cron would be late', () => {
    expect(settings({ missed: 'skip' }).missedWithinMs).toBe(60_000)
  })

  it.each([
    [{ schedule: '61 * * * *' }, /schedule.test.ts:\d+: the schedule "61 \* \* \* \*" has the minute "61"/],
    [{ timezone: 'Mars/Olympus' }, /there is no time zone Mars\/Olympus$/],
    [{ advanceTime: true }, /advanceTime needs a time to go to$/],
    [{ until: 'noon' } as unknown as JobOptions, /until cannot be noon$/],
    [{ overlap: 'run' } as unknown as JobOptions, /overlap cannot be run$/],
    [{ missed: 'all' } as unknown as JobOptions, /missed cannot be all$/],
    [{ missed: { within: 'long' } }, /missed.within "long" is not a span of time$/],
    [{ startDate: 'soon' }, /startDate "soon" is not a date$/],
    [{ startDate: '2025-02-30' }, /startDate "2025-02-30" is not a date$/],
    [{ startDate: '2025-02-03', endDate: '2025-02-03T00:00Z' }, /endDate is not past startDate$/],
    [{ retry: { attempts: 0 } }, /retry.attempts cannot be 0$/],
    [{ pauseAfter: 1.5 }, /pauseAfter cannot be 1.5$/],
    [{ timeout: 'never' }, /timeout "never" is not a span of time$/],
    [{ onFailure: { command: [] } }, /onFailure is neither a command nor a URL$/],
    [{ onSuccess: { url: 'example.com' } }, /onSuccess is neither a command nor a URL$/],
  ] satisfies [JobOptions, RegExp][])('refuses %o', (options, message) => {
    expect(() => settings(options)).toThrowError(expect.objectContaining(invalid(message)))
  })
})
