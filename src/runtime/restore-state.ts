import { type Checkpoint, decodeCheckpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import type { CommitRecord, Outside } from '../ports/outside.ts'
import type { JobFile } from '../ports/state-file.ts'
import type { Environment } from './environment.ts'
import { asTidemarkError } from './foreign-error.ts'
import { liveGeneration, requireNamed } from './generations.ts'
import type { LoadedJob } from './loaded-job.ts'
import { openSession } from './open-session.ts'
import { readGeneration } from './read-generation.ts'
import { type ReplayTarget, replayTo } from './replay.ts'
import { withSession } from './with-session.ts'

export interface RestoreReport {
  readonly job: string
  readonly generation: string
  /** Ranges that were replayed to bring the backup up to the log's last commit. */
  readonly replayed: number
  readonly records: number
}

/**
 * Puts a backup in place of a lost state file and brings it up to the log's last commit: what was run since is replayed
 * from the input, cut by cut, and nothing is published. Without `backup`, goes on with a restore that was cut short.
 * Throws USAGE where there is a state file already, INPUT_LOST where the input is gone, STATE_INCOMPATIBLE where the
 * replay comes to something else than was committed: then the job, or its input, has changed.
 */
export async function restoreState(env: Environment, loaded: LoadedJob, backup: string | null): Promise<RestoreReport> {
  const { name } = loaded.job
  const jobFile = env.state.jobFile(name)
  const outside = await env.log.outside(name, 'live')
  try {
    const { name: generation } = liveGeneration(jobFile, loaded, env.clock.now())
    requireNamed((await outside.read()) ?? null, generation, jobFile, loaded, env.clock.now())
    if (backup !== null) {
      await env.state.restore(name, generation, backup)
      await requireOfGeneration(env, name, generation, outside)
    }
    const report = await bringUp(env, loaded, jobFile, outside)
    return { job: name, generation, ...report }
  } catch (error) {
    throw asTidemarkError(error, name)
  } finally {
    await outside.close()
    jobFile.close()
  }
}

/** A backup that was made before its generation became live is of a state that no commit of the log goes on from. */
async function requireOfGeneration(
  { state }: Environment,
  job: string,
  generation: string,
  outside: Outside,
): Promise<void> {
  const stored = readGeneration(state, job, generation, (file) => file?.checkpoint())
  const local = stored === undefined ? null : decodeCheckpoint(stored.bytes)
  const before = (await outside.cuts()).findLast(({ checkpoint }) => {
    return checkpoint !== null && (decodeCheckpoint(checkpoint).generation ?? generation) !== generation
  })
  const isOther = local !== null && (local.generation ?? generation) !== generation
  if (!isOther && (local === null || (before?.token?.seq ?? 0) < local.token.seq)) return
  state.remove(job, generation)
  throw new TidemarkError('USAGE', `the backup is no state of ${generation} since it is live`, {
    hint: `Take a backup that was made after the switch, or 'tidemark run ${job} --init' to start empty.`,
  })
}

async function bringUp(
  env: Environment,
  loaded: LoadedJob,
  jobFile: JobFile,
  outside: Outside,
): Promise<Pick<RestoreReport, 'replayed' | 'records'>> {
  const runId = env.ids.uuid()
  const generation = liveGeneration(jobFile, loaded, env.clock.now())
  const session = await openSession(env, loaded, jobFile, { generation, outsideKey: null, runId })
  return await withSession(session, runId, async () => {
    let replayed = 0
    let records = 0
    for (const target of await targets(outside, session.checkpoint)) {
      // Each has a row of its own in the history: coverage counts them all.
      records += await replayTo(session, target, env.ids.uuid())
      replayed++
    }
    return { replayed, records }
  })
}

/** The commits after the state's own: the ends of runs that the log keeps, and the last commit of all. */
async function targets(outside: Outside, local: Checkpoint | null): Promise<readonly ReplayTarget[]> {
  const last = await outside.read()
  if (last?.token == null || last.token.id === local?.token.id) return []
  if (local !== null && last.token.seq < local.token.seq) {
    throw new TidemarkError('OUTPUT_LOST', 'the backup is newer than the last commit that the log has', {
      hint: 'The log was restored from an older copy: take a backup that is older than that.',
    })
  }
  const seq = local?.token.seq ?? 0
  const known = new Set<string>()
  return [...(await outside.cuts()), last].flatMap((record: CommitRecord) => {
    const { token, checkpoint } = record
    if (token === null || checkpoint === null || token.seq <= seq || known.has(token.id)) return []
    known.add(token.id)
    return [{ checkpoint: decodeCheckpoint(checkpoint), bytes: checkpoint }]
  })
}
