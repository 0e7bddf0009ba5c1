import type { RunRow } from '../../ports/history.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import { asTidemarkError } from '../foreign-error.ts'
import { readHistory } from '../history/history.ts'
import { replayHistory } from '../history/replay-history.ts'
import type { LoadedJob } from '../loaded-job.ts'
import { openCandidate, requireCandidate, requireLive } from '../switching/candidate.ts'
import { startsAfter } from '../switching/switched-event.ts'
import { withSession } from '../with-session.ts'
import { diffFiles, type FilesDiff } from './diff-files.ts'
import type { Tolerance } from './tolerance.ts'

export interface DiffRequest {
  /** The generation that is compared with the live one. */
  readonly generation: string
  readonly tolerance: Tolerance
  /** Rows that differ to be shown, for each store. */
  readonly samples: number
  readonly onProgress?: (run: RunRow) => void
}

export interface DiffReport extends FilesDiff {
  readonly job: string
  readonly live: string
  readonly generation: string
  /** The number of the live generation's commit at which both were compared. */
  readonly commit: number
  readonly offsets: Readonly<Record<string, number>>
  /** Records that the other one had to be brought up by. */
  readonly caughtUp: number
}

/** The two versions of a job, each as its generation was made with it. */
export interface JobVersions {
  readonly live: LoadedJob
  readonly other: LoadedJob
}

/**
 * Compares a generation with the live one: that is copied as it is committed, the other one is brought to the same commit,
 * and then the rows of their stores are held against each other. The live one may be run meanwhile.
 */
export async function diffGeneration(env: Environment, jobs: JobVersions, request: DiffRequest): Promise<DiffReport> {
  const { name: job } = jobs.live.job
  const jobFile = env.state.jobFile(job)
  try {
    const live = requireLive(jobFile, job)
    const row = requireCandidate(jobFile, job, request.generation)
    const runId = env.ids.uuid()
    const session = await openCandidate(env, jobs.other, jobFile, row, runId)
    return await withSession(session, runId, () =>
      withCopy(env, job, live.name, `${row.name}.diff`, async (file) => {
        const history = readHistory(live.name, file)
        if (history === undefined) throw new Error('a live generation that is replayed has committed')
        const { onProgress } = request
        const options = { ...startsAfter(file, row), ...(onProgress === undefined ? {} : { onProgress }) }
        const { records } = await replayHistory(session, history, options)
        const { tolerance, samples } = request
        const sides = [
          { file, job: jobs.live.job },
          { file: session.file, job: jobs.other.job },
        ] as const
        const { token, offsets } = history.checkpoint
        const facts = { job, live: live.name, generation: row.name, commit: token.seq, offsets, caughtUp: records }
        return { ...facts, ...(await diffFiles(...sides, { tolerance, samples, clock: env.clock })) }
      }),
    )
  } catch (error) {
    throw asTidemarkError(error, job)
  } finally {
    jobFile.close()
  }
}

/** Opens a copy of a generation, and removes it however `use` ends. One that a crash has left is replaced. */
async function withCopy<T>(
  { state }: Pick<Environment, 'state'>,
  job: string,
  generation: string,
  copy: string,
  use: (file: StateFile) => Promise<T>,
): Promise<T> {
  await state.copy(job, generation, copy)
  const file = state.open(job, copy, { create: true })
  try {
    return await use(file)
  } finally {
    file.close()
    state.remove(job, copy)
  }
}
