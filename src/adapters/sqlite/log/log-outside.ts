import type { StagedBatch } from '../../../ports/log.ts'
import type { CommitRecord, Delivery, Outside } from '../../../ports/outside.ts'
import type { AcceptedBatch } from '../../log-rules/accept-batch.ts'
import { CommitGuard } from '../../log-rules/commit-guard.ts'
import { Appender } from './appender.ts'
import type { LogFile } from './log-file.ts'

/**
 * One job's way out into the log's file. Sending checks and stages, in memory; only `commit` takes the write lock, for
 * one transaction that appends what is staged and replaces the job's row.
 */
export class SqliteOutside implements Outside {
  readonly #file: LogFile
  readonly #job: string
  readonly #key: string
  readonly #guard = new CommitGuard()
  #staged: AcceptedBatch[] | undefined

  constructor(file: LogFile, job: string, key: string) {
    this.#file = file
    this.#job = job
    this.#key = key
  }

  async read(): Promise<CommitRecord | undefined> {
    return this.#file.read(({ commits }) => commits.inForce(this.#job, this.#key))
  }

  async cuts(): Promise<readonly CommitRecord[]> {
    return this.#file.read(({ commits }) => commits.cuts(this.#job, this.#key))
  }

  async forgetCuts(seqs: readonly number[]): Promise<void> {
    this.#file.write(({ commits }) => {
      for (const seq of seqs) commits.removeCut(this.#job, this.#key, seq)
    })
  }

  async claim(delivery: Delivery, nowMs: number, takeOver: boolean): Promise<CommitRecord> {
    return this.#file.write(({ commits }) => {
      const inForce = commits.inForce(this.#job, this.#key)
      const record = this.#guard.claim(inForce, delivery, nowMs, takeOver)
      commits.put(this.#job, this.#key, record)
      if (delivery.endsRun) commits.putCut(this.#job, this.#key, record)
      return record
    })
  }

  async begin(): Promise<void> {
    this.#staged = []
  }

  async send(batches: readonly StagedBatch[]): Promise<void> {
    if (this.#staged === undefined) throw new Error('batches are sent inside a transaction: begin comes first')
    const accepted = this.#file.read((tables) => {
      const appender = new Appender(tables)
      return batches.map((batch) => appender.accept(batch))
    })
    for (const batch of accepted) this.#staged.push(batch)
  }

  async acknowledged(): Promise<void> {
    this.#guard.check(await this.read())
  }

  async commit(record: CommitRecord): Promise<void> {
    this.#file.write((tables) => {
      const { commits } = tables
      const inForce = commits.inForce(this.#job, this.#key)
      if (this.#guard.commit(inForce, record) === 'delivered') return
      const appender = new Appender(tables)
      for (const batch of this.#staged ?? []) appender.append(batch)
      appender.finish()
      commits.put(this.#job, this.#key, record)
      if (record.delivery.endsRun) commits.putCut(this.#job, this.#key, record)
    })
    this.#staged = undefined
  }

  async abort(): Promise<void> {
    this.#staged = undefined
  }

  async close(): Promise<void> {
    this.#staged = undefined
  }
}
