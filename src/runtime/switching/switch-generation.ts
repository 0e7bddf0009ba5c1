import type { JobFile } from '../../ports/state-file.ts'
import type { JobVersions } from '../diff/diff-generation.ts'
import type { Environment } from '../environment.ts'
import { asTidemarkError } from '../foreign-error.ts'
import { readHistory } from '../history/history.ts'
import { replayHistory } from '../history/replay-history.ts'
import { openSession } from '../open-session.ts'
import type { Session } from '../session.ts'
import { withSession } from '../with-session.ts'
import { openCandidate, requireCandidate, requireLive } from './candidate.ts'
import { cleanGenerations } from './clean-generations.ts'
import { commitSwitch, switchRow } from './commit-switch.ts'
import { publishCorrections } from './correct.ts'
import { requireAlike, requireEnded, requireNear } from './gates.ts'
import { keepPublished } from './keep-published.ts'
import { ownedSinks } from './owned-sinks.ts'
import type { SwitchReport, SwitchRequest } from './switch-request.ts'
import { startsAfter } from './switched-event.ts'
import { correctedTopics } from './uncorrected.ts'
import { writeWholeChangelogs } from './whole-changelogs.ts'

/**
 * Makes another generation live, under the locks of both: it catches up, the gates are asked, its stores are written whole to
 * changelogs where it has them, and one slice of it takes the place of the live one's last commit. Then what was published
 * wrongly is corrected. Interrupted anywhere, the job goes on with one of the two, whole; asked again, the switch is completed
 * or made anew. Throws SWITCH_REFUSED, USAGE, LOCKED, and what replays throw; then the live generation is as it was.
 */
export async function switchGeneration(
  env: Environment,
  jobs: JobVersions,
  request: SwitchRequest,
): Promise<SwitchReport> {
  const { name: job } = jobs.live.job
  const jobFile = env.state.jobFile(job)
  try {
    const { name } = requireLive(jobFile, job)
    const report = name === request.generation ? complete : make
    return await report(env, jobs, jobFile, request)
  } catch (error) {
    throw asTidemarkError(error, job)
  } finally {
    jobFile.close()
  }
}

/** The generation is live already: what a switch that was interrupted has left is done. */
async function complete(
  env: Environment,
  { live }: JobVersions,
  jobFile: JobFile,
  request: SwitchRequest,
): Promise<SwitchReport> {
  const runId = env.ids.uuid()
  const { takeOver = false, noCorrections } = request
  const generation = { ...requireLive(jobFile, live.job.name), jobPath: live.path }
  const opening = { generation, outsideKey: 'live', runId, takeOver, corrections: 'later' } as const
  const session = await openSession(env, live, jobFile, opening)
  return await withSession(session, runId, async () => {
    const topics = session.checkpoint?.corrections?.topics ?? []
    const from = session.checkpoint?.corrections?.from ?? null
    const corrected = topics.filter((topic) => !noCorrections.includes(topic))
    const facts = { from, caughtUp: 0, differing: null, notices: [], corrected }
    return await finish(session, jobFile, request, facts)
  })
}

async function make(
  env: Environment,
  jobs: JobVersions,
  jobFile: JobFile,
  request: SwitchRequest,
): Promise<SwitchReport> {
  const { job } = jobs.live
  const topics = correctedTopics(jobs.other.job, request.noCorrections)
  const row = requireCandidate(jobFile, job.name, request.generation)
  const runId = env.ids.uuid()
  const generation = { ...requireLive(jobFile, job.name), jobPath: jobs.live.path }
  const opening = { generation, outsideKey: 'live', runId, takeOver: request.takeOver ?? false }
  let open: readonly Session[] = []
  try {
    const live = await openSession(env, jobs.live, jobFile, opening)
    open = [live]
    await live.claim(runId)
    requireEnded(live)
    const other = await openCandidate(env, jobs.other, jobFile, row, runId)
    open = [other, live]
    const done = await catchUp(live, other, request, runId)
    await writeDown(live, other, runId)
    env.steps.enter('write-changelogs')
    const changelogs = await writeWholeChangelogs(other, live, () => live.renewLease(runId))
    await live.renewLease(runId)
    env.steps.enter('switch')
    const session = await commitSwitch({ live, other, how: request.how, changelogs, topics, runId })
    open = [session]
    const facts = { ...done, from: generation.name, corrected: topics }
    return await finish(session, jobFile, request, facts)
  } finally {
    for (const session of open) await session.close(runId)
  }
}

type Done = Pick<SwitchReport, 'caughtUp' | 'differing' | 'notices'>

/** Brings the other generation to the live one's last commit, and asks the gates. */
async function catchUp(live: Session, other: Session, request: SwitchRequest, runId: string): Promise<Done> {
  const { env } = live
  env.steps.enter('catch-up')
  const history = readHistory(live.generation.name, live.file)
  if (history === undefined) throw new Error('a live generation that is replaced has committed')
  requireNear(other, history, request)
  const { onDataLoss, onProgress } = request
  let leased = Promise.resolve()
  const { records, notices } = await replayHistory(other, history, {
    ...startsAfter(live.file, other.generation),
    ...(onDataLoss === undefined ? {} : { onDataLoss }),
    onProgress: (run) => {
      leased = leased.then(() => live.renewLease(runId))
      leased.catch(() => {}) // it is told below
      onProgress?.(run)
    },
  })
  await leased
  await live.renewLease(runId)
  env.steps.enter('compare')
  const diff = await requireAlike(live, other, request)
  return { caughtUp: records, notices, differing: diff?.differing ?? null }
}

/** What is published is kept with the live generation: corrections, and a way back, start from it. */
async function writeDown(live: Session, other: Session, runId: string): Promise<void> {
  const { env } = live
  env.steps.enter('keep-outputs')
  const sinks = [live, other].flatMap(({ loaded }) => ownedSinks(loaded.job.topology))
  const topics = [...new Set(sinks.map(({ topic }) => topic.name))]
  await keepPublished(live, topics, switchRow(live, 'keep-outputs', runId, env.clock.now()))
  await live.renewLease(runId)
}

async function finish(
  session: Session,
  jobFile: JobFile,
  { how, keep, noCorrections }: SwitchRequest,
  facts: Done & Pick<SwitchReport, 'from' | 'corrected'>,
): Promise<SwitchReport> {
  const { env, loaded, generation } = session
  const corrections = await publishCorrections(session, noCorrections)
  env.steps.enter('clean')
  const removed = await cleanGenerations(env, loaded.job.name, jobFile, keep)
  return { job: loaded.job.name, how, generation: generation.name, ...facts, corrections, removed }
}
