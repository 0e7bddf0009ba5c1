import { decodeCheckpoint } from '../core/checkpoint.ts'
import { isTidemarkError } from '../core/errors.ts'
import { parsePartitionKey } from '../core/offsets.ts'
import type { RunStatus } from '../ports/history.ts'
import type { Log } from '../ports/log.ts'
import { totalCounts } from './counts.ts'
import type { Environment } from './environment.ts'

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
}

export async function jobStatus(env: Pick<Environment, 'state' | 'log'>, job: string): Promise<JobStatus> {
  const jobFile = env.state.jobFile(job)
  const generations = jobFile.generations()
  jobFile.close()
  const live = generations.find(({ role }) => role === 'live')
  const others = generations.filter(({ role }) => role !== 'live').map(({ name }) => name)
  const file = live === undefined ? undefined : env.state.open(job, live.name, { create: false, readonly: true })
  if (live === undefined || file === undefined) {
    return { job, generation: live?.name ?? null, lastRun: null, behind: null, unfinished: null, others }
  }
  try {
    const stored = file.checkpoint()
    const checkpoint = stored === undefined ? null : decodeCheckpoint(stored.bytes)
    const [last] = file.runs(1)
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
    }
  } finally {
    file.close()
  }
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
