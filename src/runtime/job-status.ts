import { decodeCheckpoint } from '../core/checkpoint.ts'
import { isTidemarkError, TidemarkError } from '../core/errors.ts'
import { parsePartitionKey } from '../core/offsets.ts'
import type { RunStatus } from '../ports/history.ts'
import type { Log } from '../ports/log.ts'
import type { JobFile } from '../ports/state-file.ts'
import { totalCounts } from './counts.ts'
import type { Environment } from './environment.ts'
import { asTidemarkError } from './foreign-error.ts'
import { type HeldOutputs, heldOutputs } from './held-outputs.ts'
import { liveDelivery } from './live-delivery.ts'
import { type LiveLease, liveLease } from './live-lease.ts'

/** How a job stands, as far as it can be told without its job file. Nothing is locked or written. */
export interface JobStatus {
  readonly job: string
  /** The live generation, or null before the first run. */
  readonly generation: string | null
  readonly lastRun: {
    readonly runId: string
    readonly status: RunStatus
    readonly startedAt: number
    readonly records: number
    readonly late: number
  } | null
  /** Offsets that a run would read now; null where the log does not say. */
  readonly behind: number | null
  /** A run that did not reach its end: the next start finishes it. */
  readonly unfinished: string | null
  readonly others: readonly string[]
  /** Who works at it, or has died at it, as a log on other machines has it. */
  readonly lease: LiveLease | null
  /** What a scheduler last knew of it; null where none has had it. */
  readonly schedule: JobSchedule | null
  /** Readers of its outputs wait for an open transaction. */
  readonly heldBack: HeldOutputs | null
  /** Why no more can be told: its state cannot be read, or is gone. Null where all is well. */
  readonly problem: TidemarkError | null
}

export interface JobSchedule {
  readonly expression: string
  readonly timezone: string
  /** Failed runs in a row. */
  readonly failures: number
  /** The pause that is on, or null. */
  readonly pause: { readonly since: number; readonly reason: string } | null
}

type StatusEnv = Pick<Environment, 'state' | 'log' | 'locks' | 'clock'>

/** Never throws for what is wrong with one job: the others are to be told all the same. */
export async function jobStatus(env: StatusEnv, job: string): Promise<JobStatus> {
  try {
    return await statusOf(env, job)
  } catch (error) {
    const problem = asTidemarkError(error, job)
    return { job, generation: null, ...NOTHING, others: [], schedule: null, problem }
  }
}

async function statusOf(env: StatusEnv, job: string): Promise<JobStatus> {
  const jobFile = env.state.jobFile(job)
  const generations = jobFile.generations()
  const schedule = scheduleOf(jobFile)
  const instance = jobFile.instance()
  jobFile.close()
  const live = generations.find(({ role }) => role === 'live')
  const others = generations.filter(({ role }) => role !== 'live').map(({ name }) => name)
  const file = live === undefined ? undefined : env.state.open(job, live.name, { create: false, readonly: true })
  if (live === undefined || file === undefined) {
    const lost = live === undefined || live.lastToken === null ? null : lostState(env.state.pathOf(job, live.name), job)
    return { job, generation: live?.name ?? null, ...NOTHING, others, schedule, problem: lost }
  }
  try {
    const stored = file.checkpoint()
    const checkpoint = stored === undefined ? null : decodeCheckpoint(stored.bytes)
    const rows = file.runs(5)
    const [last] = rows
    const delivery = await liveDelivery(env.log, job)
    return {
      job,
      generation: live.name,
      lastRun:
        last === undefined
          ? null
          : {
              runId: last.runId,
              status: last.status,
              startedAt: last.startedAt,
              records: last.records,
              late: totalCounts(last.steps).late,
            },
      behind: checkpoint === null ? null : await behind(env.log, checkpoint.offsets),
      unfinished: checkpoint?.unfinished?.runId ?? null,
      others,
      lease: liveLease(env, { job, name: live.name, instance }, delivery),
      schedule,
      heldBack: await heldOutputs(env, instance, rows, delivery),
      problem: null,
    }
  } finally {
    file.close()
  }
}

const NOTHING = { lastRun: null, behind: null, unfinished: null, lease: null, heldBack: null } as const

function scheduleOf({ schedule }: JobFile): JobSchedule | null {
  const { timetable, failures, pause } = schedule.read()
  if (timetable === null) return null
  const { expression, timezone } = timetable
  const isOn = pause !== null && pause.until === null
  return { expression, timezone, failures, pause: isOn ? { since: pause.since, reason: pause.reason } : null }
}

function lostState(path: string, job: string): TidemarkError {
  return new TidemarkError('STATE_MISSING', `${path} is gone, and runs were committed there`, {
    hint: "Put it back, or restore a backup with 'tidemark state restore'.",
    at: { job },
  })
}

async function behind(log: Log, offsets: Readonly<Record<string, number>>): Promise<number | null> {
  try {
    const bounds = await log.bounds(Object.keys(offsets).map(parsePartitionKey), 'read_committed')
    return bounds.reduce(
      (sum, { topic, partition, end }) => sum + Math.max(0, end - (offsets[`${topic}/${partition}`] ?? 0)),
      0,
    )
  } catch (error) {
    if (isTidemarkError(error)) return null // a log that is gone or asleep is a run's trouble, not this overview's
    throw error
  }
}
