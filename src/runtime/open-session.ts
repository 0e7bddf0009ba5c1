import { decodeCheckpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Lock } from '../ports/lock.ts'
import type { CommitRecord, Outside } from '../ports/outside.ts'
import type { GenerationRow, JobFile, StateFile } from '../ports/state-file.ts'
import { deliver } from './commit.ts'
import type { Environment } from './environment.ts'
import type { LoadedJob } from './loaded-job.ts'
import { Session } from './session.ts'
import { decideStart, type StartDecision } from './start-decision.ts'
import { hasStores } from './topology-stores.ts'

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
  let file: StateFile | undefined
  let outside: Outside | null = null
  try {
    if (request.outsideKey !== null) outside = await env.log.outside(name, request.outsideKey)
    const record = (await outside?.read()) ?? null
    refuseLeased(record, jobFile.instance(), env.clock.now(), request.takeOver ?? false)
    if (request.startEmpty === true) env.state.remove(name, request.generation.name)
    file = env.state.open(name, request.generation.name, { create: false })
    const decision = decide(loaded, request, file, record, outside !== null)
    if (decision.do === 'fail')
      throw startFailed(decision, env.state.pathOf(name, request.generation.name), file !== undefined)
    file ??= env.state.open(name, request.generation.name, { create: true })
    enlist(jobFile, request.generation)
    const session = makeSession({ env, loaded, jobFile, lock, file, outside }, request, decision, record)
    if (decision.do === 'deliver-again') await deliverAgain(session, request.runId)
    return session
  } catch (error) {
    file?.close()
    await outside?.close()
    lock.release()
    throw error
  }
}

function decide(
  { job }: LoadedJob,
  { generation, init = false, startEmpty = false }: SessionRequest,
  file: StateFile | undefined,
  record: CommitRecord | null,
  hasOutside: boolean,
): StartDecision {
  return decideStart({
    local: file?.checkpoint()?.token ?? null,
    outside: record?.token ?? null,
    hasOutside,
    remembered: generation.lastToken !== null,
    hasStores: hasStores(job.topology),
    changelogsReach: false,
    init: init || startEmpty,
  })
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
  })
}

/** A generation is in the list before its first commit. */
function enlist(jobFile: JobFile, generation: GenerationRow): void {
  const { name, bounds, published } = generation
  const same = (row: GenerationRow) => row.name === name && row.bounds === bounds && row.published === published
  if (jobFile.generations().some(same)) return
  jobFile.putGeneration(generation)
}

async function deliverAgain(session: Session, runId: string): Promise<void> {
  const { env, file, outside } = session
  const stored = file.checkpoint()
  const outbox = file.outbox()
  if (stored === undefined || outbox === undefined || outside === null) {
    throw new TidemarkError('STATE_DAMAGED', 'the last commit has no outbox, and the log does not have it', {
      hint: 'Restore a backup of the state directory.',
    })
  }
  await session.claim(runId)
  const delivery = session.delivery(runId, false, outbox.endsRun)
  await deliver(outside, env.steps, outbox.batches, { token: stored.token, checkpoint: stored.bytes, delivery })
  file.dropOutbox()
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
    hint: code === 'OUTPUT_LOST' ? OLD_LOG : fileExists ? overtaken(path) : gone(path),
  })
}

const OLD_LOG = 'The log is older than the state: restore the log, or a backup of the state that belongs to it.'

function gone(path: string): string {
  return `Put ${path} back, restore a backup with 'tidemark state restore', or start empty with --init.`
}

function overtaken(path: string): string {
  return (
    `Run the job where it ran last. To run it here, move ${path} away first; ` +
    "then restore a backup from there with 'tidemark state restore', or start empty with --init."
  )
}
