import { TidemarkError } from '../../core/errors.ts'
import { parsePlan } from '../../planner/parse-plan.ts'
import type { GenerationRow, JobFile, StateFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import type { LoadedJob } from '../loaded-job.ts'
import { openSession } from '../open-session.ts'
import type { Session } from '../session.ts'

/** The row of the live generation. Throws USAGE where the job has not run here. */
export function requireLive(jobFile: JobFile, job: string): GenerationRow {
  const live = jobFile.generations().find(({ role }) => role === 'live')
  if (live !== undefined) return live
  throw new TidemarkError('USAGE', `job ${job} has no live generation here`, {
    hint: "Run the job first, or say where its state is with --state-dir. 'tidemark status' lists what is here.",
  })
}

/** The row of a generation that may become live. Throws USAGE for any other name. */
export function requireCandidate(jobFile: JobFile, job: string, name: string): GenerationRow {
  const rows = jobFile.generations()
  const row = rows.find((known) => known.name === name)
  if (row?.role === 'reprocessed' || row?.role === 'retired') return row
  const others = rows.filter(({ role }) => role === 'reprocessed' || role === 'retired').map((other) => other.name)
  const what =
    row === undefined ? `has no generation ${name}` : `: ${name} ${row.role === 'live' ? 'is live' : 'is a range'}`
  throw new TidemarkError('USAGE', `job ${job}${row === undefined ? ' ' : ''}${what}`, {
    hint:
      others.length === 0
        ? "Make one with 'tidemark reprocess JOB --as NAME'."
        : `Generations that replay the live one's history: ${others.join(', ')}.`,
  })
}

/**
 * Opens a generation that may become live: locked, and publishing nothing. Throws USAGE where its job file is not the one
 * that it was made with, or where it replays the history of another generation than the live one.
 */
export async function openCandidate(
  env: Environment,
  loaded: LoadedJob,
  jobFile: JobFile,
  generation: GenerationRow,
  runId: string,
): Promise<Session> {
  const { name: live } = requireLive(jobFile, loaded.job.name)
  const session = await openSession(env, loaded, jobFile, { generation, outsideKey: null, runId })
  try {
    requireSameFile(session)
    requireHistoryOf(session, live)
    return session
  } catch (error) {
    await session.close(runId)
    throw error
  }
}

function requireSameFile({ file, loaded, generation }: Session): void {
  const made = hashOf(file)
  if (made === null || made === loaded.hash) return
  const message = `${generation.jobPath} is not what it was when ${generation.name} was made with it`
  const back = 'Put the file back as it was: the generation goes on with the job that it was made with.'
  const hint = generation.role === 'retired' ? back : anew(loaded, generation)
  throw new TidemarkError('USAGE', message, { hint, at: { job: loaded.job.name } })
}

/** Where one that was live before goes on is another question: see `startsAfter`. */
function requireHistoryOf({ checkpoint, loaded, generation }: Session, live: string): void {
  const unfinished = checkpoint?.unfinished ?? null
  const begun = unfinished === null ? undefined : parsePlan(unfinished.plan).replays
  const of = checkpoint?.replayed?.generation ?? begun?.generation ?? live
  if (of === live || generation.role === 'retired') return
  throw new TidemarkError('USAGE', `${generation.name} replays the history of ${of}, and ${live} is live now`, {
    hint: anew(loaded, generation),
    at: { job: loaded.job.name },
  })
}

function anew({ job }: LoadedJob, { name }: GenerationRow): string {
  return `Start it anew: tidemark reprocess ${job.name} --as ${name} --with FILE --replace.`
}

/** The hash of the job file that a generation was last run with; null where it never was. */
export function hashOf(file: StateFile): string | null {
  return file.runs(1)[0]?.jobHash ?? null
}
