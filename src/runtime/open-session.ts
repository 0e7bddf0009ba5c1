import { decodeCheckpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Lock } from '../ports/lock.ts'
import type { CommitRecord, Outside } from '../ports/outside.ts'
import type { GenerationRow, JobFile, Outbox, StateFile, StoredCheckpoint } from '../ports/state-file.ts'
import { changelogIds } from './changelogs/changelog-ids.ts'
import { changelogsReach } from './changelogs/changelog-topics.ts'
import { restoreStores } from './changelogs/restore-stores.ts'
import type { RestoreProgress } from './changelogs/restore-watch.ts'
import { deliver } from './commit.ts'
import type { Environment } from './environment.ts'
import { requireNamed } from './generations.ts'
import type { LoadedJob } from './loaded-job.ts'
import { LEASE_MS, Session } from './session.ts'
import { decideStart, type StartDecision } from './start-decision.ts'
import { hasStores } from './stores/topology-stores.ts'
import { publishCorrections } from './switching/correct.ts'
import { removeChangelogs } from './switching/remove-changelogs.ts'

export interface SessionRequest {
  readonly generation: GenerationRow
  /** Key of the commit record, or null for a generation that publishes nothing. */
  readonly outsideKey: string | null
  readonly runId: string
  /** Start empty where the state is lost. */
  readonly init?: boolean
  /** End another instance's lease. */
  readonly takeOver?: boolean
  /** Drops what the generation has: a range that is replaced. */
  readonly startEmpty?: boolean
  /** `later`: corrections that a switch has left are the caller's to publish. Default: they are published before anything else. */
  readonly corrections?: 'first' | 'later'
  /** Told of a restore from changelogs. */
  readonly onRestore?: RestoreProgress
}

/**
 * Locks a generation, compares its state with the outside, and makes both agree.
 * Throws LOCKED, LEASED, STATE_MISSING, STATE_DAMAGED, OUTPUT_LOST; then nothing has changed.
 */
export async function openSession(
  env: Environment,
  loaded: LoadedJob,
  jobFile: JobFile,
  request: SessionRequest,
): Promise<Session> {
  const { name } = loaded.job
  const lock = env.locks.acquire(`${name}/${request.generation.name}`, `run ${request.runId}`)
  const opened: Partial<Mutable<Opened>> = { env, loaded, jobFile, lock }
  try {
    return await agree(opened as Opening, request)
  } catch (error) {
    opened.file?.close()
    await opened.outside?.close()
    lock.release()
    throw error
  }
}

async function agree(opened: Opening, request: SessionRequest): Promise<Session> {
  const { env, loaded, jobFile } = opened
  const { name } = loaded.job
  const { generation, outsideKey } = request
  const outside = outsideKey === null ? null : await env.log.outside(name, outsideKey)
  opened.outside = outside
  if (request.startEmpty === true) {
    refuseLeased((await outside?.read()) ?? null, jobFile.instance(), env.clock.now(), request.takeOver ?? false)
    await removeChangelogs(env, name, generation.name)
    env.state.remove(name, generation.name)
  }
  opened.file = env.state.open(name, generation.name, { create: false })
  let found = await look(opened, request)
  if (found.decision.do === 'deliver-again') promisedBy(opened.file)
  // What a dead process left is ended by the claim, one way or the other: only then is it known what to do about it.
  const claimed = outside !== null && (found.decision.do === 'deliver-again' || found.decision.do === 'restore')
  if (claimed) {
    const now = env.clock.now()
    const leaseUntil = now + (env.leaseMs ?? LEASE_MS)
    const delivery = { instance: jobFile.instance(), runId: request.runId, leaseUntil, endsRun: false }
    await outside.claim(delivery, now, request.takeOver ?? false)
    found = await look(opened, request)
  }
  const { decision, record } = found
  if (decision.do === 'fail') {
    throw startFailed(decision, env.state.pathOf(name, generation.name), opened.file !== undefined)
  }
  opened.file ??= env.state.open(name, generation.name, { create: true })
  enlist(jobFile, generation)
  const session = makeSession({ ...opened, file: opened.file, outside }, request, decision, record, claimed)
  if (decision.do === 'deliver-again') await deliverAgain(session, request.runId)
  if (decision.do === 'restore' && found.reach) {
    await session.phases.during('restore', () => restoreStores(session, record, request.runId, request.onRestore))
  }
  if (outsideKey === 'live' && request.corrections !== 'later') await publishCorrections(session)
  return session
}

/** What the table says about the state and the outside as they are now. */
async function look(opened: Opening, request: SessionRequest): Promise<Found> {
  const { env, jobFile, loaded, file, outside } = opened
  const record = (await outside?.read()) ?? null
  if (request.outsideKey === 'live') requireNamed(record, request.generation.name, jobFile, loaded, env.clock.now())
  refuseLeased(record, jobFile.instance(), env.clock.now(), request.takeOver ?? false)
  const local = file?.checkpoint()?.token ?? null
  const reach =
    record?.token?.id !== local?.id && (await changelogsReach(env.log, loaded.job, request.generation.name, record))
  const decision = decideStart({
    local,
    outside: record?.token ?? null,
    hasOutside: outside !== null && outside !== undefined,
    remembered: request.generation.lastToken !== null,
    hasStores: hasStores(loaded.job.topology),
    changelogsReach: reach,
    init: request.init === true || request.startEmpty === true,
  })
  return { decision, record, reach }
}

interface Found {
  readonly decision: StartDecision
  readonly record: CommitRecord | null
  /** The stores can be restored to the record from their changelogs. */
  readonly reach: boolean
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** What is opened so far, and is to be closed when the opening fails. */
type Opening = Pick<Opened, 'env' | 'loaded' | 'jobFile' | 'lock'> & {
  file: StateFile | undefined
  outside: Outside | null | undefined
}

interface Opened {
  readonly env: Environment
  readonly loaded: LoadedJob
  readonly jobFile: JobFile
  readonly lock: Lock
  readonly file: StateFile
  readonly outside: Outside | null
}

function makeSession(
  opened: Opened,
  { generation, init = false, takeOver = false }: SessionRequest,
  decision: StartDecision,
  record: CommitRecord | null,
  claimed: boolean,
): Session {
  const fresh = decision.do === 'begin' || decision.do === 'begin-anew'
  const local = fresh ? undefined : opened.file.checkpoint()?.bytes
  const bytes = decision.do === 'restore' ? record?.checkpoint : local
  const checkpoint = bytes === undefined || bytes === null ? null : decodeCheckpoint(bytes)
  return new Session({
    ...opened,
    generation,
    checkpoint,
    parent: checkpoint?.token ?? record?.token ?? null,
    begunAnew: fresh && init,
    takeOver,
    claimed,
    outsideChangelogs: changelogsAt(record),
  })
}

function changelogsAt(record: CommitRecord | null): readonly string[] {
  const bytes = record?.checkpoint ?? null
  return bytes === null ? [] : changelogIds(decodeCheckpoint(bytes))
}

/** A generation is in the list before its first commit. */
function enlist(jobFile: JobFile, generation: GenerationRow): void {
  const { name, bounds, published, jobPath } = generation
  const same = (row: GenerationRow) =>
    row.name === name && row.bounds === bounds && row.published === published && row.jobPath === jobPath
  if (jobFile.generations().some(same)) return
  jobFile.putGeneration(generation)
}

async function deliverAgain(session: Session, runId: string): Promise<void> {
  const { env, file, outside } = session
  if (outside === null) return
  const { stored, outbox } = promisedBy(file)
  const delivery = session.delivery(runId, false, outbox.endsRun)
  await deliver(outside, env.steps, outbox.batches, { token: stored.token, checkpoint: stored.bytes, delivery })
  file.dropOutbox()
}

/** The last commit and what it has promised to the outside. */
function promisedBy(file: StateFile | undefined): { readonly stored: StoredCheckpoint; readonly outbox: Outbox } {
  const stored = file?.checkpoint()
  const outbox = file?.outbox()
  if (stored !== undefined && outbox !== undefined) return { stored, outbox }
  throw new TidemarkError('STATE_DAMAGED', 'the last commit has no outbox, and the log does not have it', {
    hint: 'Restore a backup of the state directory.',
  })
}

function refuseLeased(record: CommitRecord | null, instance: string, now: number, takeOver: boolean): void {
  if (record === null || takeOver) return
  const { delivery } = record
  if (delivery.instance === instance || delivery.leaseUntil <= now) return
  throw new TidemarkError(
    'LEASED',
    `another state directory (instance ${delivery.instance}) is running this job until ` +
      `${new Date(delivery.leaseUntil).toISOString()} at the latest`,
    { hint: 'Wait until it ends, or say --take-over if you know that it is dead.' },
  )
}

function startFailed(
  { code, why }: Extract<StartDecision, { do: 'fail' }>,
  path: string,
  fileExists: boolean,
): TidemarkError {
  return new TidemarkError(code, why, {
    hint: code === 'OUTPUT_LOST' ? oldLog(path) : fileExists ? overtaken(path) : gone(path),
  })
}

function oldLog(path: string): string {
  return (
    'The log is older than the state: restore the log, or a backup of the state that belongs to it. ' +
    `To start over on this log, move ${path} away and run with --init.`
  )
}

function gone(path: string): string {
  return `Put ${path} back, restore a backup with 'tidemark state restore', or start empty with --init.`
}

function overtaken(path: string): string {
  return (
    `Run the job where it ran last. To run it here, move ${path} away first; ` +
    "then restore a backup from there with 'tidemark state restore', or start empty with --init."
  )
}
