import { expect, it } from 'vitest'
import { checkSchedule } from '../../../src/adapters/cron/check-schedule.ts'
import { cronExpression } from '../../../src/topology/cron/cron-expression.ts'

it.each(['0 */6 * * *', '*/10 0 22-2 * * mon-fri', '@hourly', '0 0 L * *', '0 0 29 2 *', '1-5/2,7 * 1,15 jan,dec 0-7'])(
  '%s is a schedule to node-cron too',
  (expression) => {
    cronExpression(expression)
    checkSchedule(expression)
  },
)

it.each(['61 * * * *', '', '@reboot', '* * *'])('%s is none', (expression) => {
  expect(() => checkSchedule(expression)).toThrow(expect.objectContaining({ code: 'JOB_INVALID' }))
})
