import type { StagedBatch } from '../ports/log.ts'
import type { Outside } from '../ports/outside.ts'

/**
 * What the slice under way sends. Batches go out while the slice is processed, one call after the other; nobody waits for
 * that before the slice ends, and whatever goes wrong comes out then.
 */
export class SliceOutput {
  readonly #outside: Outside
  #batches: StagedBatch[] = []
  #bytes = 0
  /** Undefined before the transaction of the slice is begun. */
  #sending: Promise<void> | undefined
  #dropped = false

  constructor(outside: Outside) {
    this.#outside = outside
  }

  /** All that the slice has given so far, in order. */
  get batches(): readonly StagedBatch[] {
    return this.#batches
  }

  /** Bytes of these batches. */
  get bytes(): number {
    return this.#bytes
  }

  /** Batches to be sent behind those before. Their bytes stay as they are. */
  add(batches: readonly StagedBatch[]): void {
    if (batches.length === 0) return
    for (const batch of batches) {
      this.#batches.push(batch)
      this.#bytes += batch.bytes.length
    }
    const sending = this.#begun().then(async () => {
      if (!this.#dropped) await this.#outside.send(batches)
    })
    sending.catch(() => {}) // `sent` tells
    this.#sending = sending
  }

  /** Resolves when all is sent, in a transaction that is begun. Throws what sending has thrown. */
  async sent(): Promise<void> {
    this.#sending ??= this.#begun()
    await this.#sending
  }

  /** The slice is committed: the next one begins. */
  committed(): void {
    this.#batches = []
    this.#bytes = 0
    this.#sending = undefined
  }

  /** Sends nothing more and drops the transaction, where there is one. Not to be used again. */
  async drop(): Promise<void> {
    this.#dropped = true
    if (this.#sending === undefined) return
    await this.#sending.catch(() => {}) // whoever gives a slice up has an error to tell
    await this.#outside.abort().catch(() => {})
  }

  #begun(): Promise<void> {
    return this.#sending ?? this.#outside.begin()
  }
}
