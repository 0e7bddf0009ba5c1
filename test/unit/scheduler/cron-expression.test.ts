import { describe, expect, it } from 'vitest'
import { cronExpression } from '../../../src/topology/cron/cron-expression.ts'

const upTo = (max: number, min = 0) => Array.from({ length: max - min + 1 }, (_, index) => min + index)

const EVERY_DAY = { days: upTo(31, 1), lastDay: false, months: upTo(12, 1), weekdays: upTo(6), eitherDay: false }

describe('a cron expression', () => {
  it('has five fields, or six with seconds', () => {
    expect(cronExpression('0 */6 * * *')).toEqual({
      ...EVERY_DAY,
      seconds: [0],
      minutes: [0],
      hours: [0, 6, 12, 18],
      interval: true,
    })
    expect(cronExpression('  10,50  30 2 * * *')).toEqual({
      ...EVERY_DAY,
      seconds: [10, 50],
      minutes: [30],
      hours: [2],
      interval: false,
    })
  })

  it.each([
    ['1-5/2,7 * * * *', 'minutes', [1, 3, 5, 7]],
    ['50-10/10 * * * *', 'minutes', [0, 10, 50]],
    ['0 22-2 * * *', 'hours', [0, 1, 2, 22, 23]],
    ['0 0 * * 7', 'weekdays', [0]],
    ['0 0 * * 5-7', 'weekdays', [0, 5, 6]],
    ['0 0 * * Mon-FRI', 'weekdays', [1, 2, 3, 4, 5]],
    ['0 0 * * 0-7', 'weekdays', [0, 1, 2, 3, 4, 5, 6]],
    ['0 0 * jan,Dec *', 'months', [1, 12]],
    ['0 0 ? * 1', 'days', upTo(31, 1)],
    ['0 0 L * *', 'days', []],
    ['@hourly', 'hours', upTo(23)],
    ['@Weekly', 'weekdays', [0]],
  ] as const)('reads %s: %s', (text, field, values) => {
    expect(cronExpression(text)[field]).toEqual(values)
  })

  it.each([
    ['0 */6 * * *', true],
    ['*/5 2 * * *', true],
    ['* 30 2 * * *', true],
    ['@hourly', true],
    ['30 2 * * *', false],
    ['0 0-23/6 * * *', false],
    ['@daily', false],
  ])('%s is an interval: %s', (text, interval) => {
    expect(cronExpression(text).interval).toBe(interval)
  })

  it.each([
    ['0 0 1 * fri', true],
    ['0 0 1 * *', false],
    ['0 0 */2 * fri', false],
    ['0 0 ? * fri', false],
    ['0 0 L * fri', true],
  ])('%s takes either of its days: %s', (text, eitherDay) => {
    expect(cronExpression(text).eitherDay).toBe(eitherDay)
  })

  it.each([
    ['', 'has 0 fields'],
    ['* * *', 'has 3 fields'],
    ['0 0 1 1 * * 2025', 'has 7 fields'],
    ['61 * * * *', 'has the minute "61"'],
    ['0 24 * * *', 'has the hour "24"'],
    ['0 0 0 * *', 'has the day "0"'],
    ['0 0 * 13 *', 'has the month "13"'],
    ['0 0 * * 8', 'has the weekday "8"'],
    ['0/5 * * * *', 'a step of 1 or more follows'],
    ['*/0 * * * *', 'a step of 1 or more follows'],
    ['1, * * * *', 'which cannot be read'],
    ['-1 * * * *', 'which cannot be read'],
    ['0 0 1W * *', 'which cannot be read'],
    ['0 0 * * fri#2', 'which cannot be read'],
    ['0 0 * januar *', 'where values go from 1 to 12'],
    ['? * * * *', 'which cannot be read'],
    ['0 0 30 2 *', 'names a day that no month has'],
    ['0 0 31 4,6 *', 'names a day that no month has'],
    ['@reboot', 'is no nickname'],
  ])('refuses %j: it %s', (text, problem) => {
    expect(() => cronExpression(text)).toThrow(
      expect.objectContaining({ code: 'JOB_INVALID', message: expect.stringContaining(problem) }),
    )
  })

  it('takes a day that only some months have, and one beside a weekday', () => {
    expect(cronExpression('0 0 29 2 *').days).toEqual([29])
    expect(cronExpression('0 0 30 2 mon').eitherDay).toBe(true)
  })
})
