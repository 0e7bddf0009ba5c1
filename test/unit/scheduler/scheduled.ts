import { type JobOptions, job, json, string, topic } from 'tidemark'
import type { ScheduledJob } from '../../../src/scheduler/scheduled-job.ts'

const numbers = topic('numbers', { key: string(), value: json<number>() })
const copies = topic('copies', { key: string(), value: json<number>() })

/** A job with these options, as the scheduler sees it. */
export function scheduled(options: JobOptions): ScheduledJob {
  const { name, settings } = job('copies', options, ({ stream }) => stream(numbers).to(copies))
  return { name, command: name, settings }
}

export function hourly(): ScheduledJob {
  return scheduled({ schedule: '0 * * * *' })
}

/** A time of day on 2 June 2025, UTC. */
export function at(time: string): number {
  return Date.parse(`2025-06-02T${time}Z`)
}

/** The other way round. */
export function iso(instant: number): string {
  return new Date(instant).toISOString().replace(/^2025-06-02T|(:00)?\.000Z$/g, '')
}
