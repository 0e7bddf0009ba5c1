import { TidemarkError } from '../../core/errors.ts'
import type { DataLossPolicy } from '../../planner/data-loss-policy.ts'
import type { RunRow } from '../../ports/history.ts'
import type { GenerationRow, JobFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import { asTidemarkError } from '../foreign-error.ts'
import { replayHistory } from '../history/replay-history.ts'
import type { LoadedJob } from '../loaded-job.ts'
import { openSession } from '../open-session.ts'
import type { StopSignal } from '../stop-signal.ts'
import { withSession } from '../with-session.ts'
import { hashOf, requireLive } from './candidate.ts'
import { historyOf } from './history-of.ts'

export interface ReprocessRequest {
  /** The name of the generation. */
  readonly as: string
  /** `none`: everything is one range. */
  readonly cuts: 'kept' | 'none'
  /** What a generation of this name has is dropped first. */
  readonly replace: boolean
  readonly onDataLoss?: DataLossPolicy
  readonly stop?: StopSignal
  /** Told of the row of each replayed run when it starts and after each slice. */
  readonly onProgress?: (run: RunRow, step: { readonly index: number; readonly steps: number }) => void
}

export interface ReprocessReport {
  readonly job: string
  readonly generation: string
  /** The generation whose history it replays. */
  readonly of: string
  /** The number of the commit that it has come to. */
  readonly commit: number
  /** Runs and other changes that were replayed now. */
  readonly steps: number
  readonly records: number
  readonly stores: readonly { readonly name: string; readonly entries: number }[]
  readonly notices: readonly string[]
  readonly jobHash: string
}

/**
 * Replays the history of the live generation into one of its own that publishes nothing, with the job as `loaded` has it,
 * from empty state to the last commit. Asked again it goes on: what a crash has left undone, and what was run since.
 */
export async function reprocess(
  env: Environment,
  loaded: LoadedJob,
  request: ReprocessRequest,
): Promise<ReprocessReport> {
  const { name: job } = loaded.job
  const jobFile = env.state.jobFile(job)
  try {
    const live = requireLive(jobFile, job)
    const history = historyOf(env, job, live.name)
    const runId = env.ids.uuid()
    const { generation, replaces } = chosen(jobFile, loaded, request, env.clock.now(), live.name)
    // Before a session notes the job file: one that is refused is not this generation's.
    if (!replaces) requireSameJob(hashMade(env, job, generation.name), loaded, generation.name)
    const opening = { generation, outsideKey: null, runId, startEmpty: replaces }
    const session = await openSession(env, loaded, jobFile, opening)
    return await withSession(session, runId, async () => {
      requireSameJob(hashOf(session.file), loaded, generation.name)
      const { cuts, onDataLoss, stop, onProgress } = request
      const report = await replayHistory(session, history, {
        cuts,
        ...(onDataLoss === undefined ? {} : { onDataLoss }),
        ...(stop === undefined ? {} : { stop }),
        ...(onProgress === undefined ? {} : { onProgress }),
      })
      const entries = Object.entries(session.checkpoint?.storeSizes ?? {})
      return {
        job,
        generation: generation.name,
        of: live.name,
        commit: history.checkpoint.token.seq,
        ...report,
        stores: entries.map(([name, count]) => ({ name, entries: count })),
        jobHash: loaded.hash,
      }
    })
  } catch (error) {
    throw asTidemarkError(error, job)
  } finally {
    jobFile.close()
  }
}

function chosen(
  jobFile: JobFile,
  { path, job }: LoadedJob,
  { as: name, cuts, replace }: ReprocessRequest,
  now: number,
  live: string,
): { readonly generation: GenerationRow; readonly replaces: boolean } {
  const bounds = `history of ${live}${cuts === 'none' ? ', one range' : ''}`
  const named = { name, role: 'reprocessed', jobPath: path } as const
  const generation: GenerationRow = { ...named, bounds, published: false, createdAt: now, lastToken: null }
  const known = jobFile.generations().find((row) => row.name === name)
  if (known === undefined) return { generation, replaces: false }
  if (known.role !== 'reprocessed') {
    throw new TidemarkError('USAGE', `${name} is a generation of ${job.name} already, and no reprocessing`, {
      hint: 'Give the reprocessing another name with --as.',
    })
  }
  if (replace) return { generation, replaces: true }
  if (known.bounds === bounds) return { generation: { ...known, jobPath: path }, replaces: false }
  throw new TidemarkError('RANGE_COVERED_DIFFERENTLY', `${name} is the ${known.bounds}, not the ${bounds}`, {
    hint: 'Give the reprocessing another name with --as, or drop what is there with --replace.',
  })
}

/** The hash of the job file that a generation was made with; null where it has no state. */
function hashMade(env: Environment, job: string, name: string): string | null {
  const file = env.state.open(job, name, { create: false, readonly: true })
  try {
    return file === undefined ? null : hashOf(file)
  } finally {
    file?.close()
  }
}

function requireSameJob(made: string | null, { hash, path, job }: LoadedJob, name: string): void {
  if (made === null || made === hash) return
  throw new TidemarkError('RANGE_COVERED_DIFFERENTLY', `${name} was begun with another version of ${path}`, {
    hint: 'Start it anew with --replace, or give the reprocessing another name with --as.',
    at: { job: job.name },
  })
}
