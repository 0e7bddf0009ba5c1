import { validateDetailed } from 'node-cron'
import { TidemarkError } from '../../core/errors.ts'

/** Throws JOB_INVALID for a cron expression that node-cron would not take. */
export function checkSchedule(expression: string): void {
  const { valid, errors } = validateDetailed(expression)
  if (valid) return
  const problems = errors.map(({ message }) => message).join('; ')
  throw new TidemarkError('JOB_INVALID', `the schedule ${JSON.stringify(expression)} is not valid: ${problems}`, {
    hint: 'Write minute, hour, day, month and weekday, as in 0 */6 * * *.',
  })
}
