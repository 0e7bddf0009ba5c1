import type { RunDigests, RunRow } from '../../ports/history.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import { asTidemarkError } from '../foreign-error.ts'
import type { LoadedJob } from '../loaded-job.ts'
import type { StopSignal } from '../stop-signal.ts'
import { changedDigests } from './changed-digests.ts'
import { type History, readHistory } from './history.ts'
import type { HistoryStep, RangeStep } from './history-step.ts'
import { type ReplayProgress, replayHistory } from './replay-history.ts'
import { withScratch } from './scratch-session.ts'
import { noHistory, upToRun } from './up-to-run.ts'

export interface VerifyRequest {
  /** The generation; by default the live one. */
  readonly generation: string
  /** A run id, or its beginning: what comes later is not replayed. Default: the last run. */
  readonly run?: string
  readonly stop?: StopSignal
  readonly onProgress?: (run: RunRow, progress: ReplayProgress) => void
}

/**
 * What a replay says about one run. `same`: it read and made the same. `input-changed`: other records were read, which
 * were compacted or changed since. `result-changed`: the same records made something else. `cuts-merged`: they did, but
 * cuts of a stream are merged since, in the run or before it, and so the order may be another. `unknown`: it has no digests.
 */
export interface VerifiedRun {
  readonly runId: string
  readonly startedAt: number | null
  readonly records: number
  readonly verdict: 'same' | 'input-changed' | 'result-changed' | 'cuts-merged' | 'unknown'
  /** Input partitions, sinks and stores (`name/task`) whose digests differ. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly stores: readonly string[]
  /** The job file was another one then. */
  readonly otherJob: boolean
}

export interface VerifyReport {
  readonly job: string
  readonly generation: string
  /** In the order in which they were made. */
  readonly runs: readonly VerifiedRun[]
  /** True where no run differs. */
  readonly same: boolean
  readonly notices: readonly string[]
}

/**
 * Replays a generation from its start through its history, up to a run, in a generation that is thrown away, and compares
 * every run on the way with what the history has of it. Nothing else is touched. Throws INPUT_LOST and INPUT_REPLACED where
 * the input is no longer there, USAGE for a run that is not in the history.
 */
export async function verifyJob(env: Environment, loaded: LoadedJob, request: VerifyRequest): Promise<VerifyReport> {
  const { name } = loaded.job
  const { generation } = request
  const file = env.state.open(name, generation, { create: false, readonly: true })
  try {
    const history = file === undefined ? undefined : readHistory(generation, file)
    if (file === undefined || history === undefined) throw noHistory(name)
    const { run, stop, onProgress } = request
    const upTo = run === undefined ? {} : { upTo: upToRun(file, history, run) }
    const runs: VerifiedRun[] = []
    let isMerged = false
    const { notices } = await withScratch(env, loaded, 'verify', (session) =>
      replayHistory(session, history, {
        ...upTo,
        ...(stop === undefined ? {} : { stop }),
        ...(onProgress === undefined ? {} : { onProgress }),
        storesAsTheyWere: true,
        onStep: (step, row) => {
          if (step.kind === 'range') isMerged ||= step.merged > 1
          else if (step.kind === 'reset' && step.offsets !== null) isMerged = false
          if (isLastOfRun(history, step)) runs.push(compared(file, step, row, { loaded, isMerged }))
        },
      }),
    )
    const same = runs.every(({ verdict }) => !verdict.endsWith('-changed'))
    return { job: name, generation, runs, same, notices }
  } catch (error) {
    throw asTidemarkError(error, name)
  } finally {
    file?.close()
  }
}

function isLastOfRun({ steps }: History, step: HistoryStep): step is RangeStep {
  if (step.kind !== 'range' || step.rowId === '') return false
  return steps.findLast((each) => each.kind === 'range' && each.rowId === step.rowId)?.seq === step.seq
}

function compared(file: StateFile, step: RangeStep, row: RunRow | null, { loaded, isMerged }: Replayed): VerifiedRun {
  const before = file.run(step.rowId)
  const differ = changedDigests(before?.digests ?? NOTHING, row?.digests ?? NOTHING)
  const result = differ.outputs.length + differ.stores.length
  const other = isMerged ? 'cuts-merged' : 'result-changed'
  const judged = differ.inputs.length > 0 ? 'input-changed' : result > 0 ? other : 'same'
  const isKnown = before?.digests !== undefined
  return {
    runId: step.rowId,
    startedAt: before?.startedAt ?? null,
    records: before?.records ?? 0,
    verdict: isKnown ? judged : 'unknown',
    ...(isKnown ? differ : { inputs: [], outputs: [], stores: [] }),
    otherJob: step.jobHash !== '' && step.jobHash !== loaded.hash,
  }
}

/** With what a run was done again. */
interface Replayed {
  readonly loaded: LoadedJob
  /** In the run, or before it, cuts of a stream are merged. */
  readonly isMerged: boolean
}

const NOTHING: RunDigests = { inputs: {}, outputs: {}, stores: {} }
