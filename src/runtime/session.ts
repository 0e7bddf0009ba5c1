import type { Checkpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Token } from '../core/token.ts'
import type { Lock } from '../ports/lock.ts'
import type { Delivery, Outside } from '../ports/outside.ts'
import type { GenerationRow, JobFile, StateFile } from '../ports/state-file.ts'
import { changelogIds } from './changelogs/changelog-ids.ts'
import type { Environment } from './environment.ts'
import type { LoadedJob } from './loaded-job.ts'
import { PhaseTimer } from './phase-timer.ts'
import type { StoreWatch } from './stores/store-watch.ts'

/** How long a commit record keeps other instances out by default, ms. */
export const LEASE_MS = 300_000

/** What a session is made of, once state and outside agree. */
export interface SessionParts {
  readonly env: Environment
  readonly loaded: LoadedJob
  readonly generation: GenerationRow
  readonly file: StateFile
  /** Null for a generation that publishes nothing. */
  readonly outside: Outside | null
  readonly lock: Lock
  readonly jobFile: JobFile
  readonly checkpoint: Checkpoint | null
  readonly parent: Token | null
  readonly begunAnew: boolean
  readonly takeOver: boolean
  /** The opening has claimed the outside already. */
  readonly claimed: boolean
  /** Ids of changelogs that are this generation's by the commit outside, where the checkpoint does not tell of them. */
  readonly outsideChangelogs?: readonly string[]
}

/** One generation, locked and found whole, from its opening to its closing. */
export class Session {
  readonly env: Environment
  readonly phases: PhaseTimer
  readonly loaded: LoadedJob
  readonly generation: GenerationRow
  readonly file: StateFile
  readonly outside: Outside | null
  /** The state directory, in leases. */
  readonly instance: string
  /** True where `--init` started it empty. */
  readonly begunAnew: boolean
  /** What was committed last, or null before the first commit. */
  checkpoint: Checkpoint | null
  /** Sees what is written to stores, for who explains it; null for all others. */
  watch: StoreWatch | null = null
  /** The token that the next commit has as its parent. */
  parent: Token | null

  readonly #parts: SessionParts
  #claimed: boolean
  /** Until when the outside keeps others out, as this session has told it, epoch ms; 0 where it does not. */
  #leasedUntil: number

  constructor(parts: SessionParts) {
    this.phases = new PhaseTimer(parts.env.steps, parts.env.clock)
    this.env = { ...parts.env, steps: this.phases }
    this.loaded = parts.loaded
    this.generation = parts.generation
    this.file = parts.file
    this.outside = parts.outside
    this.instance = parts.jobFile.instance()
    this.begunAnew = parts.begunAnew
    this.checkpoint = parts.checkpoint
    this.parent = parts.parent
    this.#parts = parts
    this.#claimed = parts.claimed
    this.#leasedUntil = parts.claimed ? parts.env.clock.now() + leaseMs(parts.env) : 0
  }

  /** How long a commit record keeps other instances out, ms. */
  get leaseMs(): number {
    return leaseMs(this.env)
  }

  /** Ids of all topics that are this generation's changelogs, or were. */
  get changelogIds(): ReadonlySet<string> {
    return new Set([...changelogIds(this.checkpoint), ...(this.#parts.outsideChangelogs ?? [])])
  }

  /** True where this instance is the only one that may commit. */
  get isClaimed(): boolean {
    return this.#claimed
  }

  /**
   * Makes this instance the only one that may commit. To be called before anything is sent. Throws LEASED, and FENCED
   * where another instance has committed since the session was opened.
   */
  async claim(runId: string): Promise<void> {
    if (this.outside === null || this.#claimed) return
    const now = this.env.clock.now()
    const delivery = this.delivery(runId, false, false)
    const inForce = await this.outside.claim(delivery, now, this.#parts.takeOver)
    this.#claimed = true
    this.#leasedUntil = delivery.leaseUntil
    if (inForce.token?.id === this.parent?.id) return
    throw new TidemarkError('FENCED', 'another state directory has committed a run of this job at this moment', {
      hint: 'Run the job again: it starts from what is committed.',
    })
  }

  /**
   * Lets the lease begin anew where a third of it has passed: for a run that waits. To be called once it is claimed. Throws
   * FENCED where another instance has claimed it since.
   */
  async renewLease(runId: string): Promise<void> {
    const { outside } = this
    const now = this.env.clock.now()
    if (outside === null || this.#leasedUntil - now > (2 * this.leaseMs) / 3) return
    const inForce = await outside.read()
    if (inForce !== undefined && inForce.delivery.instance !== this.instance) {
      throw new TidemarkError('FENCED', `instance ${inForce.delivery.instance} has taken over this job`, {
        hint: 'Its state directory is another one. Let one of the two run this job.',
      })
    }
    const delivery = this.delivery(runId, false, false)
    await outside.claim(delivery, now, false)
    this.#leasedUntil = delivery.leaseUntil
  }

  /** Has the outside keep what was committed last as the end of its run. To be called once it is claimed. */
  async keepCut(runId: string): Promise<void> {
    await this.outside?.claim(this.delivery(runId, false, true), this.env.clock.now(), false)
  }

  /** The delivery part of the commit record that a slice writes. A lease ends with the last record of a process. */
  delivery(runId: string, lastOfProcess: boolean, endsRun: boolean): Delivery {
    const leaseUntil = lastOfProcess ? 0 : this.env.clock.now() + this.leaseMs
    return { instance: this.instance, runId, leaseUntil, endsRun }
  }

  /** A commit has replaced the checkpoint, and was delivered so. */
  committed(checkpoint: Checkpoint, delivery: Delivery): void {
    this.checkpoint = checkpoint
    this.parent = checkpoint.token
    this.#leasedUntil = delivery.leaseUntil
  }

  /**
   * This generation as the live one: a commit of it has taken the place of the last one of `live`, which is retired and frees
   * all but the outside. That is this session's now, and this one is not to be used any more.
   */
  goLive(live: Session, checkpoint: Checkpoint, delivery: Delivery): Session {
    const { jobFile } = this.#parts
    const { outside } = live
    const lastToken = live.checkpoint?.token ?? null
    const row = { ...this.generation, role: 'live', bounds: null, published: true } as const
    jobFile.putGeneration({ ...live.generation, role: 'retired', lastToken })
    jobFile.putGeneration({ ...row, lastToken: checkpoint.token })
    live.#leave()
    const next = { generation: row, outside, checkpoint, parent: checkpoint.token, claimed: true }
    const session = new Session({ ...this.#parts, ...next })
    session.committed(checkpoint, delivery)
    return session
  }

  #leave(): void {
    this.file.close()
    this.#parts.lock.release()
  }

  /** Ends the lease if no record has, remembers the last commit in `job.db`, and frees everything. */
  async close(runId: string): Promise<void> {
    const { outside, file } = this
    try {
      const delivery = this.delivery(runId, true, false)
      if (this.#leasedUntil > 0) await outside?.claim(delivery, this.env.clock.now(), false).catch(() => {}) // it runs out by itself
      this.#remember()
    } finally {
      file.close()
      await outside?.close()
      this.#parts.lock.release()
    }
  }

  /** Copies the last token to `job.db`, for the case that the generation's file is lost. */
  #remember(): void {
    const lastToken = this.checkpoint?.token ?? null
    if (lastToken?.id === this.generation.lastToken?.id) return
    this.#parts.jobFile.putGeneration({ ...this.generation, lastToken })
  }
}

function leaseMs(env: Pick<Environment, 'leaseMs'>): number {
  return env.leaseMs ?? LEASE_MS
}
