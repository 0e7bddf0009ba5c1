import { invalidJob } from '../topology/invalid-job.ts'
import type { JobOptions, JobSettings } from '../topology/job.ts'
import type { Where } from '../topology/nodes.ts'
import type { ScheduleSettings } from '../topology/schedule-settings.ts'
import { SCHEDULE_OPTIONS, scheduleSettings } from './schedule-settings.ts'
import { spanMs } from './span.ts'

const POLICIES = ['fail', 'skip', 'dead-letter']

const ISOLATIONS = ['read_committed', 'read_uncommitted']

const DEFAULTS: Omit<JobSettings, keyof ScheduleSettings> = {
  start: 'earliest',
  isolation: 'read_committed',
  waitForTransactionsMs: 0,
  onBadData: 'fail',
  onUserError: 'fail',
  deadLetterTopic: null,
  maxSkipped: 1000,
  maxFutureSkew: null,
  sliceRecords: 250_000,
  sliceBytes: 16 * 1024 * 1024,
  cacheEntries: 100_000,
  changelog: true,
  keepRuns: 10_000,
}

/** The settings of a job with every default filled in. Throws JOB_INVALID for what contradicts itself or is unknown. */
export function jobSettings(options: JobOptions, where: Where | null): JobSettings {
  const { waitForTransactionsMs: _, ...named } = DEFAULTS
  const known = [...SCHEDULE_OPTIONS, ...Object.keys(named), 'waitForTransactions']
  const unknown = Object.keys(options).find((option) => !known.includes(option))
  if (unknown !== undefined) {
    throw invalidJob(where, `a job has no option ${unknown}`, `Options are ${known.join(', ')}.`)
  }
  const { maxFutureSkew, waitForTransactions, ...plain } = options
  const given = Object.entries(plain).filter(([name, value]) => name in named && value !== undefined)
  const settings: JobSettings = {
    ...scheduleSettings(options, where),
    ...DEFAULTS,
    ...Object.fromEntries(given),
    waitForTransactionsMs: spanMs(waitForTransactions ?? 0, 'waitForTransactions'),
    maxFutureSkew:
      maxFutureSkew === undefined
        ? null
        : // biome-ignore lint/suspicious/noThenProperty: a policy, and never awaited
          { limitMs: spanMs(maxFutureSkew.limit, 'maxFutureSkew.limit'), then: maxFutureSkew.then },
  }
  checkWords(settings, where)
  checkDeadLetters(settings, where)
  for (const option of ['maxSkipped', 'sliceRecords', 'sliceBytes', 'cacheEntries', 'keepRuns'] as const) {
    const value = settings[option]
    if (Number.isSafeInteger(value) && value >= (option === 'maxSkipped' ? 0 : 1)) continue
    throw invalidJob(where, `${option} cannot be ${value}`, 'Give a whole number, greater than 0.')
  }
  if (typeof settings.changelog !== 'boolean') {
    throw invalidJob(where, `changelog cannot be ${settings.changelog}`, 'It is true or false.')
  }
  return settings
}

function checkWords({ isolation, onBadData, onUserError, maxFutureSkew }: JobSettings, where: Where | null): void {
  const given = [
    ['isolation', isolation, ISOLATIONS],
    ['onBadData', onBadData, POLICIES],
    ['onUserError', onUserError, POLICIES],
    ['maxFutureSkew.then', maxFutureSkew?.then ?? 'fail', POLICIES],
  ] as const
  for (const [option, word, words] of given) {
    if (words.includes(word)) continue
    throw invalidJob(where, `${option} cannot be ${word}`, `It is one of ${words.join(', ')}.`)
  }
}

function checkDeadLetters(
  { onBadData, onUserError, maxFutureSkew, deadLetterTopic }: JobSettings,
  where: Where | null,
) {
  const policies = [onBadData, onUserError, maxFutureSkew?.then]
  if (!policies.includes('dead-letter') || deadLetterTopic !== null) return
  throw invalidJob(where, 'dead letters have no topic', "Name it, as in deadLetterTopic: 'my-job-dead-letters'.")
}
