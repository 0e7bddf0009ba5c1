import type { StagedBatch } from '../../ports/log.ts'
import type { CommitRecord, Delivery, Outside } from '../../ports/outside.ts'
import type { AcceptedBatch } from '../log-rules/accept-batch.ts'
import { CommitGuard } from '../log-rules/commit-guard.ts'
import type { CommitSlot, MemoryCluster } from './log-cluster.ts'
import { acceptAll, appendAll } from './log-staging.ts'

/** One job's way out of memory. What is staged is lost with the handle, as in a crash. */
export class MemoryOutside implements Outside {
  readonly #cluster: MemoryCluster
  readonly #slot: CommitSlot
  readonly #guard = new CommitGuard()
  #staged: AcceptedBatch[] | undefined

  constructor(cluster: MemoryCluster, slot: CommitSlot) {
    this.#cluster = cluster
    this.#slot = slot
  }

  async read(): Promise<CommitRecord | undefined> {
    return this.#slot.inForce
  }

  async cuts(): Promise<readonly CommitRecord[]> {
    return [...this.#slot.cuts]
  }

  async forgetCuts(seqs: readonly number[]): Promise<void> {
    const { cuts } = this.#slot
    const left = cuts.filter(({ token }) => token === null || !seqs.includes(token.seq))
    cuts.splice(0, cuts.length, ...left)
  }

  async claim(delivery: Delivery, nowMs: number, takeOver: boolean): Promise<CommitRecord> {
    const record = this.#guard.claim(this.#slot.inForce, delivery, nowMs, takeOver)
    this.#slot.inForce = record
    if (delivery.endsRun) this.#slot.cuts.push(record)
    return record
  }

  async begin(): Promise<void> {
    this.#staged = []
  }

  async send(batches: readonly StagedBatch[]): Promise<void> {
    if (this.#staged === undefined) throw new Error('batches are sent inside a transaction: begin comes first')
    for (const batch of acceptAll(this.#cluster, batches)) this.#staged.push(batch)
  }

  async acknowledged(): Promise<void> {
    this.#guard.check(this.#slot.inForce)
  }

  async commit(record: CommitRecord): Promise<void> {
    if (this.#guard.commit(this.#slot.inForce, record) === 'deliver') {
      appendAll(this.#cluster, this.#staged ?? [])
      this.#slot.inForce = record
      if (record.delivery.endsRun) this.#slot.cuts.push(record)
    }
    this.#staged = undefined
  }

  async abort(): Promise<void> {
    this.#staged = undefined
  }

  async close(): Promise<void> {
    this.#staged = undefined
  }
}
