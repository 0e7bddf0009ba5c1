import { type Checkpoint, decodeCheckpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Token } from '../core/token.ts'
import type { Lock } from '../ports/lock.ts'
import type { CommitRecord, Delivery, Outside } from '../ports/outside.ts'
import type { GenerationRow, JobFile, StateFile } from '../ports/state-file.ts'
import { deliver } from './commit.ts'
import type { Environment } from './environment.ts'
import type { LoadedJob } from './loaded-job.ts'
import { decideStart } from './start-decision.ts'
import { hasStores } from './topology-stores.ts'

/** How long a commit record keeps other instances out, ms. */
export const LEASE_MS = 300_000

export interface SessionRequest {
  readonly generation: GenerationRow
  /** Key of the commit record, or null for a generation that publishes nothing. */
  readonly outsideKey: string | null
  readonly init: boolean
  readonly takeOver: boolean
  /** Drops what the generation has: a range that is replaced. */
  readonly startEmpty: boolean
  readonly runId: string
}

/** One generation, locked and found whole, from its opening to its closing. */
export class Session {
  readonly env: Environment
  readonly loaded: LoadedJob
  readonly generation: GenerationRow
  readonly file: StateFile
  /** Null for a generation that publishes nothing. */
  readonly outside: Outside | null
  readonly instance: string
  /** What was committed last, or null before the first commit. */
  checkpoint: Checkpoint | null
  /** The token that the next commit has as its parent. */
  parent: Token | null
  /** The file was started anew by `--init`. */
  readonly begunAnew: boolean

  readonly #lock: Lock
  readonly #jobFile: JobFile
  #claimed = false
  #leased = false

  private constructor(parts: {
    env: Environment
    loaded: LoadedJob
    generation: GenerationRow
    file: StateFile
    outside: Outside | null
    lock: Lock
    jobFile: JobFile
    checkpoint: Checkpoint | null
    parent: Token | null
    begunAnew: boolean
  }) {
    this.env = parts.env
    this.loaded = parts.loaded
    this.generation = parts.generation
    this.file = parts.file
    this.outside = parts.outside
    this.instance = parts.jobFile.instance()
    this.checkpoint = parts.checkpoint
    this.parent = parts.parent
    this.begunAnew = parts.begunAnew
    this.#lock = parts.lock
    this.#jobFile = parts.jobFile
  }

  /**
   * Locks the generation, compares its state with the outside, and makes both agree.
   * Throws LOCKED, LEASED, STATE_MISSING, STATE_DAMAGED, OUTPUT_LOST; then nothing has changed.
   */
  static async open(env: Environment, loaded: LoadedJob, jobFile: JobFile, request: SessionRequest): Promise<Session> {
    const { name } = loaded.job
    const { generation } = request
    const lock = env.locks.acquire(`${name}/${generation.name}`, `run ${request.runId}`)
    let file: StateFile | undefined
    let outside: Outside | null = null
    try {
      if (request.outsideKey !== null) outside = await env.log.outside(name, request.outsideKey)
      const record = (await outside?.read()) ?? null
      refuseLeased(record, jobFile.instance(), env.clock.now(), request.takeOver)
      if (request.startEmpty) env.state.remove(name, generation.name)
      file = env.state.open(name, generation.name, { create: false })
      const local = file?.checkpoint() ?? null
      const decision = decideStart({
        local: local?.token ?? null,
        outside: record?.token ?? null,
        hasOutside: outside !== null,
        remembered: generation.lastToken !== null,
        hasStores: hasStores(loaded.job.topology),
        changelogsReach: false,
        init: request.init,
      })
      if (decision.do === 'fail')
        throw startFailed(decision.code, decision.why, env.state.pathOf(name, generation.name))
      file ??= env.state.open(name, generation.name, { create: true })
      if (file === undefined) throw new Error('a file opened with create is there')
      jobFile.putGeneration(generation)
      const fresh = decision.do === 'begin' || decision.do === 'begin-anew'
      const bytes = decision.do === 'restore' ? (record?.checkpoint ?? null) : fresh ? null : (local?.bytes ?? null)
      const checkpoint = bytes === null ? null : decodeCheckpoint(bytes)
      const session = new Session({
        env,
        loaded,
        generation,
        file,
        outside,
        lock,
        jobFile,
        checkpoint,
        parent: checkpoint?.token ?? record?.token ?? null,
        begunAnew: decision.do === 'begin-anew' || (decision.do === 'begin' && request.init),
      })
      if (decision.do === 'deliver-again') await session.#deliverAgain(request)
      return session
    } catch (error) {
      file?.close()
      await outside?.close()
      lock.release()
      throw error
    }
  }

  /** Makes this instance the only one that may commit. To be called before anything is sent. */
  async claim(runId: string, takeOver: boolean): Promise<void> {
    if (this.outside === null || this.#claimed) return
    const now = this.env.clock.now()
    await this.outside.claim(this.#delivery(runId, now + LEASE_MS, false), now, takeOver)
    this.#claimed = true
    this.#leased = true
  }

  /** The delivery part of the commit record that a slice writes. A lease ends with the last record of a run. */
  deliveryOf(runId: string, lastOfProcess: boolean, endsRun: boolean): Delivery {
    const until = lastOfProcess ? 0 : this.env.clock.now() + LEASE_MS
    this.#leased = !lastOfProcess
    return this.#delivery(runId, until, endsRun)
  }

  /** A commit has replaced the checkpoint. */
  committed(checkpoint: Checkpoint): void {
    this.checkpoint = checkpoint
    this.parent = checkpoint.token
  }

  /** Ends the lease if no record has, remembers the last commit in `job.db`, and frees everything. */
  async close(runId: string): Promise<void> {
    try {
      if (this.#leased && this.outside !== null) {
        await this.outside.claim(this.#delivery(runId, 0, false), this.env.clock.now(), false)
      }
    } finally {
      this.file.close()
      await this.outside?.close()
      this.remember()
      this.#lock.release()
    }
  }

  /** Copies the last token to `job.db`, for the case that the generation's file is lost. */
  remember(): void {
    const last = this.checkpoint?.token ?? null
    if (last?.id === this.generation.lastToken?.id) return
    this.#jobFile.putGeneration({ ...this.generation, lastToken: last })
  }

  #delivery(runId: string, leaseUntil: number, endsRun: boolean): Delivery {
    return { instance: this.instance, runId, leaseUntil, endsRun }
  }

  async #deliverAgain(request: SessionRequest): Promise<void> {
    const stored = this.file.checkpoint()
    const outbox = this.file.outbox()
    if (stored === undefined || outbox === undefined || this.outside === null) {
      throw new TidemarkError('STATE_DAMAGED', 'the last commit has no outbox, and the log does not have it', {
        hint: 'Restore a backup of the state directory.',
      })
    }
    await this.claim(request.runId, request.takeOver)
    const delivery = this.#delivery(request.runId, this.env.clock.now() + LEASE_MS, outbox.endsRun)
    await deliver(this.outside, outbox.batches, { token: stored.token, checkpoint: stored.bytes, delivery })
    this.file.dropOutbox()
  }
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

function startFailed(code: 'STATE_MISSING' | 'OUTPUT_LOST', why: string, path: string): TidemarkError {
  const hint =
    code === 'STATE_MISSING'
      ? `Put ${path} back, restore a backup with 'tidemark state restore', or start empty with --init.`
      : 'The log is older than the state: restore the log, or a backup of the state that belongs to it.'
  return new TidemarkError(code, why, { hint })
}
