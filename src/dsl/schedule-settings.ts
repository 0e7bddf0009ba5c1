import { isTidemarkError } from '../core/errors.ts'
import type { Hook } from '../core/hook.ts'
import { cronExpression } from '../topology/cron/cron-expression.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'
import { ON_TIME_MS, type ScheduleOptions, type ScheduleSettings } from '../topology/schedule-settings.ts'
import { spanMs } from './span.ts'

/** Options that have no default value: null stands for their absence. */
type Absent = 'schedule' | 'startDate' | 'endDate' | 'timeout' | 'pauseAfter' | 'onSuccess' | 'onFailure'

type Filled = Required<Omit<ScheduleOptions, Absent>> & {
  readonly [Name in Absent]: NonNullable<ScheduleOptions[Name]> | null
}

const DEFAULTS: Filled = {
  schedule: null,
  timezone: 'UTC',
  until: 'now',
  settle: '5m',
  advanceTime: false,
  overlap: 'skip',
  missed: 'run',
  startDate: null,
  endDate: null,
  jitter: 0,
  retry: {},
  timeout: null,
  pauseAfter: null,
  onSuccess: null,
  onFailure: null,
}

/** The options of a job that are about its schedule. */
export const SCHEDULE_OPTIONS: readonly string[] = Object.keys(DEFAULTS)

/** The settings of a schedule with every default filled in. Throws JOB_INVALID for what contradicts itself. */
export function scheduleSettings(options: ScheduleOptions, where: Where | null): ScheduleSettings {
  const given = Object.entries(options).filter(([name, value]) => name in DEFAULTS && value !== undefined)
  const all: Filled = { ...DEFAULTS, ...Object.fromEntries(given) }
  const refuse = (message: string, hint: string) => invalidJob(where, message, hint)
  checkWords(all, refuse)
  if (all.timezone !== 'UTC') checkTimezone(all.timezone, refuse)
  if (all.schedule !== null) checkSchedule(all.schedule, refuse)
  if (all.advanceTime && all.until !== 'slot') {
    throw refuse('advanceTime needs a time to go to', "Set until: 'slot', or leave it away.")
  }
  const { schedule, timezone, until, overlap, advanceTime, pauseAfter, missed } = all
  return {
    schedule,
    timezone,
    until,
    settleMs: until === 'slot' ? spanMs(all.settle, 'settle') : 0,
    advanceTime,
    overlap,
    missedWithinMs: missed === 'run' ? null : missed === 'skip' ? ON_TIME_MS : spanMs(missed.within, 'missed.within'),
    ...dates(all, refuse),
    jitterMs: spanMs(all.jitter, 'jitter'),
    retry: retrySettings(all.retry, refuse),
    timeoutMs: all.timeout === null ? null : spanMs(all.timeout, 'timeout'),
    pauseAfter: pauseAfter === null ? null : counted(pauseAfter, 'pauseAfter', refuse),
    onSuccess: checkedHook(all.onSuccess, 'onSuccess', refuse),
    onFailure: checkedHook(all.onFailure, 'onFailure', refuse),
  }
}

type Refuse = (message: string, hint: string) => Error

function checkWords(
  { until, overlap, missed }: Required<Pick<ScheduleOptions, 'until' | 'overlap' | 'missed'>>,
  refuse: Refuse,
) {
  const given = [
    ['until', until, ['now', 'slot']],
    ['overlap', overlap, ['skip', 'queue', 'cancel']],
    ['missed', typeof missed === 'object' ? 'run' : missed, ['run', 'skip']],
  ] as const
  for (const [option, word, words] of given) {
    if ((words as readonly string[]).includes(word)) continue
    throw refuse(`${option} cannot be ${word}`, `It is one of ${words.join(', ')}.`)
  }
}

function checkTimezone(timezone: string, refuse: Refuse): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw refuse(`there is no time zone ${timezone}`, "Give an IANA name, as in 'Europe/Berlin', or 'UTC'.")
  }
}

function checkSchedule(schedule: string, refuse: Refuse): void {
  try {
    cronExpression(schedule)
  } catch (error) {
    throw isTidemarkError(error) ? refuse(error.message, error.hint ?? '') : error
  }
}

function dates(options: Filled, refuse: Refuse): Pick<ScheduleSettings, 'startDate' | 'endDate'> {
  const startDate = dateMs(options.startDate, 'startDate', refuse)
  const endDate = dateMs(options.endDate, 'endDate', refuse)
  if (startDate !== null && endDate !== null && endDate <= startDate) {
    throw refuse('endDate is not past startDate', 'Slots from startDate on and before endDate count.')
  }
  return { startDate, endDate }
}

const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/

function dateMs(text: string | null, option: string, refuse: Refuse): number | null {
  if (text === null) return null
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_DATE.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  const instant = Date.parse(`${day}T${time}${zone}`)
  // A day that its month does not have would be read as one of the next month.
  if (!Number.isNaN(instant) && new Date(midnight).toISOString().startsWith(day)) return instant
  throw refuse(
    `${option} ${JSON.stringify(text)} is not a date`,
    "Write '2025-03-01' or '2025-03-01T06:00+01:00'; UTC where no zone is named.",
  )
}

function retrySettings(retry: NonNullable<ScheduleOptions['retry']>, refuse: Refuse): ScheduleSettings['retry'] {
  return Object.freeze({
    attempts: counted(retry.attempts ?? 3, 'retry.attempts', refuse),
    backoffMs: spanMs(retry.backoff ?? '10s', 'retry.backoff'),
    maxBackoffMs: spanMs(retry.maxBackoff ?? '10m', 'retry.maxBackoff'),
  })
}

function counted(value: number, option: string, refuse: Refuse): number {
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw refuse(`${option} cannot be ${value}`, 'Give a whole number, greater than 0.')
}

function checkedHook(hook: Hook | null, option: string, refuse: Refuse): Hook | null {
  if (hook === null) return null
  if ('url' in hook && /^https?:\/\//.test(hook.url)) return Object.freeze({ url: hook.url })
  if ('command' in hook && Array.isArray(hook.command) && hook.command.length > 0) {
    return Object.freeze({ command: Object.freeze([...hook.command]) })
  }
  throw refuse(
    `${option} is neither a command nor a URL`,
    "Write { command: ['notify', '--urgent'] } or { url: 'https://example.com/hook' }.",
  )
}
