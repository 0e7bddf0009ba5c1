import { LEASE_MS, type Session } from '../session.ts'

/** Told of a restore under way: offsets that are behind it, of those that it has to read. */
export type RestoreProgress = (offsets: number, of: number) => void

/** The event loop gets its turn after so long. */
const TURN_MS = 100

/** A lease is renewed when this part of it is over. */
const RENEWED_AFTER = 1 / 5

/** Tells of the progress of a restore, and keeps the lease while it lasts. */
export class RestoreWatch {
  readonly #session: Session
  readonly #runId: string
  readonly #total: number
  readonly #tell: RestoreProgress
  #offsets = 0
  #claimedAt: number
  #yieldedAt: number

  constructor(session: Session, runId: string, total: number, tell: RestoreProgress = () => {}) {
    this.#session = session
    this.#runId = runId
    this.#total = total
    this.#tell = tell
    this.#claimedAt = session.env.clock.now()
    this.#yieldedAt = session.env.clock.monotonic()
    tell(0, total)
  }

  /** So many offsets more are behind; to be told every few thousand rows, too. Throws FENCED where another instance has taken the job over. */
  async passed(offsets: number): Promise<void> {
    this.#offsets += offsets
    this.#tell(this.#offsets, this.#total)
    const { outside, env } = this.#session
    if (env.clock.monotonic() - this.#yieldedAt >= TURN_MS) {
      await env.clock.yield()
      this.#yieldedAt = env.clock.monotonic()
    }
    const now = env.clock.now()
    if (outside === null || now - this.#claimedAt < (env.leaseMs ?? LEASE_MS) * RENEWED_AFTER) return
    this.#claimedAt = now
    await outside.claim(this.#session.delivery(this.#runId, false, false), now, false)
  }
}
