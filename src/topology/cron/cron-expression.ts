import { TidemarkError } from '../../core/errors.ts'
import { type CronField, cronField } from './cron-field.ts'

/** The times of a cron expression, as lists of local clock and calendar values. */
export interface CronExpression {
  /** 0 to 59, sorted; so are all lists. */
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  /** 0 to 23. */
  readonly hours: readonly number[]
  /** 1 to 31. */
  readonly days: readonly number[]
  /** The last day of a month too. */
  readonly lastDay: boolean
  /** 1 to 12. */
  readonly months: readonly number[]
  /** 0 to 6, from Sunday. */
  readonly weekdays: readonly number[]
  /** A day has to match one of `days` and `weekdays` only: both are restricted. */
  readonly eitherDay: boolean
  /** An interval and not times of day: seconds, minutes or hours begin with a star. Summer time is another matter then. */
  readonly interval: boolean
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const HINT =
  'Write minute, hour, day, month and weekday, with seconds before them if need be, as in 0 */6 * * * or 30 2 * * mon-fri, ' +
  `or one of ${Object.keys(NICKNAMES).join(', ')}.`

/** The longest that each month can be. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Reads a cron expression as cron does: five fields, or six with seconds first; lists, ranges (which may go over the end,
 * `22-2`), steps, names, `L` for a month's last day. Throws JOB_INVALID for what is none, or for a day that never comes.
 */
export function cronExpression(text: string): CronExpression {
  const refuse = (problem: string) =>
    new TidemarkError('JOB_INVALID', `the schedule ${JSON.stringify(text)} ${problem}`, { hint: HINT })
  const written = text.trim().toLowerCase()
  const fields = (NICKNAMES[written] ?? written).split(/\s+/)
  if (written.startsWith('@') && NICKNAMES[written] === undefined) throw refuse('is no nickname that is known')
  if (fields.length !== 5 && fields.length !== 6) {
    throw refuse(`has ${written === '' ? 0 : fields.length} fields, not 5, or 6 with seconds`)
  }
  const [second, minute, hour, day, month, weekday] = (fields.length === 5 ? ['0', ...fields] : fields) as SixTexts
  const read = (name: CronField, field: string) => cronField(name, field, refuse)
  const lastDay = day.split(',').includes('l')
  const listedDays = day.split(',').filter((part) => part !== 'l')
  const expression: CronExpression = {
    seconds: read('second', second),
    minutes: read('minute', minute),
    hours: read('hour', hour),
    days: listedDays.length === 0 ? [] : read('day', listedDays.join(',')),
    lastDay,
    months: read('month', month),
    weekdays: read('weekday', weekday),
    eitherDay: !isStar(day) && !isStar(weekday),
    interval: [second, minute, hour].some((field) => field.startsWith('*')),
  }
  if (!everComes(expression)) throw refuse('names a day that no month has')
  return Object.freeze(expression)
}

type SixTexts = [string, string, string, string, string, string]

function isStar(field: string): boolean {
  return field.startsWith('*') || field === '?'
}

function everComes({ days, lastDay, months, eitherDay }: CronExpression): boolean {
  const [earliest = 32] = days
  return eitherDay || lastDay || months.some((month) => earliest <= (MONTH_DAYS[month - 1] ?? 0))
}
