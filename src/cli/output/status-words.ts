import type { JobStatus } from '../../runtime/job-status.ts'
import type { LiveLease } from '../../runtime/live-lease.ts'
import { nextSlot } from '../../scheduler/next-slot.ts'
import { cronExpression } from '../../topology/cron/cron-expression.ts'
import { table } from './table.ts'
import { countInWords, countOf, isoTime, secondInWords } from './words.ts'

/** A job's status with when its next slot comes, ISO 8601; null where none does. */
export type ShownStatus = JobStatus & { readonly nextSlot: string | null }

/** The next slot of a job that is scheduled and not paused. */
export function nextSlotOf({ schedule }: JobStatus, now: number): string | null {
  if (schedule === null || schedule.pause !== null) return null
  const slot = nextSlot(cronExpression(schedule.expression), schedule.timezone, now)
  return slot === null ? null : isoTime(slot)
}

export function statusInWords(jobs: readonly ShownStatus[]): string {
  return table(
    [
      { title: 'job' },
      { title: 'generation' },
      { title: 'last run' },
      { title: 'started' },
      { title: 'records', align: 'right' },
      { title: 'late', align: 'right' },
      { title: 'behind', align: 'right' },
      { title: 'next slot', idle: '-' },
      { title: 'other generations', idle: '-' },
    ],
    jobs.map(({ job, generation, lastRun, behind, others, problem, nextSlot: next, schedule }) => [
      job,
      generation ?? '-',
      lastRun?.status ?? (problem === null ? 'never' : '?'),
      lastRun === null ? '-' : secondInWords(lastRun.startedAt),
      lastRun === null ? '-' : countInWords(lastRun.records),
      lastRun === null ? '-' : countInWords(lastRun.late),
      behind === null ? '?' : countInWords(behind),
      schedule?.pause == null ? (next === null ? '-' : secondInWords(Date.parse(next))) : 'paused',
      others.length === 0 ? '-' : others.join(', '),
    ]),
  )
}

/** Sentences about what is not as it should be. */
export function statusNotices({ job, problem, schedule, heldBack, lease }: ShownStatus): readonly string[] {
  const notices: string[] = []
  if (lease !== null) notices.push(leaseInWords(job, lease))
  if (problem !== null) notices.push(`${job}: ${problem.message}\n hint: ${problem.hint ?? 'see tidemark run'}`)
  if (schedule?.pause != null) {
    const { since, reason } = schedule.pause
    notices.push(`${job} is paused since ${secondInWords(since)}: ${reason}\n hint: tidemark resume ${job}`)
  }
  if (schedule !== null && schedule.failures > 0) {
    notices.push(`${job}: ${countOf(schedule.failures, 'scheduled run')} failed in a row`)
  }
  if (heldBack !== null && lease === null) notices.push(heldInWords(job, heldBack))
  return notices
}

function heldInWords(job: string, { topics, instance, here }: NonNullable<JobStatus['heldBack']>): string {
  const where = Object.entries(topics).map(([topic, offsets]) => `${countOf(offsets, 'offset')} of ${topic}`)
  const whose = here ? 'this state directory' : `the state directory of instance ${instance}`
  const held = `${job}: an open transaction holds back who reads committed records: ${where.join(', ')}`
  return (
    `${held}. No run of the job is alive (the last was from ${whose})\n` +
    ` hint: the next 'tidemark run ${job}' ends it at once, and the broker does at its time-out`
  )
}

function leaseInWords(job: string, { instance, own, dead, until }: LiveLease): string {
  const time = secondInWords(until)
  if (dead) {
    const hint = 'Run it again: that ends at once what the dead run has begun.'
    return `${job}: its run has died, and holds back those who read what it writes until ${time} at the latest\n hint: ${hint}`
  }
  if (own) return `${job}: it is running`
  return `${job}: the state directory ${instance} runs it, or has died at it; nobody else can before ${time}`
}
