import { createTask, type ScheduledTask } from 'node-cron'
import type { Alarms } from '../../ports/alarms.ts'
import { NO_LOGGER } from './no-logger.ts'

/**
 * How long a task may wait. Timers stand still while a machine sleeps, and know nothing of a clock that was set: like cron
 * itself, look at the clock every minute.
 */
const LONGEST_NAP_MS = 60_000

/** Alarms by node-cron, to the second: each nap is a task with the one second, in UTC, at which it ends. */
export const cronAlarms: Alarms = {
  set(at, ring) {
    let task: ScheduledTask | undefined
    let pending: NodeJS.Immediate | undefined
    // Outside of the task's own call, which would log what is thrown and go on.
    const wake = () => {
      clearImmediate(pending)
      pending = setImmediate(() => {
        void task?.destroy()
        task = undefined
        if (Date.now() >= at) ring()
        else task = napUntil(Math.min(at, Date.now() + LONGEST_NAP_MS), wake)
      })
    }
    wake()
    return {
      cancel: () => {
        clearImmediate(pending)
        void task?.destroy()
        task = undefined
      },
    }
  },
}

function napUntil(instant: number, wake: () => void): ScheduledTask {
  const end = new Date(Math.ceil(instant / 1000) * 1000)
  const fields = [end.getUTCSeconds(), end.getUTCMinutes(), end.getUTCHours(), end.getUTCDate(), end.getUTCMonth() + 1]
  const task = createTask(`${fields.join(' ')} *`, wake, {
    timezone: 'UTC',
    maxExecutions: 1,
    missedExecutionTolerance: Number.POSITIVE_INFINITY,
    suppressMissedWarning: true,
    logger: NO_LOGGER,
  })
  void task.start()
  // Where that second went by meanwhile, the task would wait for a year.
  if (Date.now() >= end.getTime()) wake()
  return task
}
