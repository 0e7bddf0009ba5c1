import { isTidemarkError } from '../../../core/errors.ts'
import { partitionKey, type TopicPartition } from '../../../core/offsets.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { StagedBatch } from '../../../ports/log.ts'
import type { CommitRecord, Delivery, Outside } from '../../../ports/outside.ts'
import { decideClaim, decideCommit } from '../../log-rules/commit-rules.ts'
import { unreachable } from '../connection/unreachable-error.ts'
import type { BatchSender } from '../produce/batch-sender.ts'
import { type CheckedBatch, checkedBatch } from '../produce/checked-batch.ts'
import { ProducerFenced } from '../produce/producer-fenced.ts'
import type { TransactionCoordinator } from '../produce/transaction-coordinator.ts'
import type { ProducerId } from '../protocol/init-producer-id.ts'
import type { CommitTopic } from './commit-topic.ts'
import { lostTransaction } from './lost-transaction.ts'

export interface KafkaOutsideParts {
  readonly commits: CommitTopic
  readonly coordinator: TransactionCoordinator
  /** The sender of a producer's batches. */
  readonly sender: (producer: ProducerId) => BatchSender
  readonly clock: Pick<Clock, 'now'>
  /** The coordinator gives up a transaction that has not ended after this long. */
  readonly transactionTimeoutMs: number
}

interface Producer {
  readonly id: ProducerId
  readonly sender: BatchSender
}

/** A transaction as this side has it: the coordinator has one from the first partition on. */
interface Transaction {
  readonly partitions: Set<string>
  /** Epoch ms of the first partition. */
  startedAt: number | undefined
}

/**
 * One job's way out to Kafka. A handle initialises its transactional id once, which fences all others: what is in force
 * then is so until this handle commits, and no commit has to look again. Once fenced, or where it could not come to an end
 * with the brokers, it does nothing any more: the next start finds out what has become of it.
 */
export class KafkaOutside implements Outside {
  readonly #parts: KafkaOutsideParts
  #isPrepared = false
  #producer: Producer | undefined
  /** Known once there is a producer. */
  #inForce: CommitRecord | undefined
  #transaction: Transaction | undefined
  /** What has ended this handle. */
  #over: unknown

  constructor(parts: KafkaOutsideParts) {
    this.#parts = parts
  }

  async read(): Promise<CommitRecord | undefined> {
    return this.#parts.commits.last()
  }

  async cuts(): Promise<readonly CommitRecord[]> {
    return this.#parts.commits.cuts()
  }

  /** Compaction forgets them. */
  async forgetCuts(): Promise<void> {}

  async claim(delivery: Delivery, nowMs: number, takeOver: boolean): Promise<CommitRecord> {
    return this.#guarded(async () => {
      // One whose lease is live is not even fenced.
      if (this.#producer === undefined) decideClaim(await this.#prepared(), delivery, nowMs, takeOver)
      await this.#open()
      const record = decideClaim(this.#inForce, delivery, nowMs, takeOver)
      await this.#write(record)
      return record
    })
  }

  async begin(): Promise<void> {
    await this.#guarded(() => this.#open())
  }

  async send(batches: readonly StagedBatch[]): Promise<void> {
    await this.#guarded(async () => {
      const { sender } = this.#opened()
      await this.#enlist(batches)
      await sender.send(checked(batches))
    })
  }

  /** Asks the coordinator too, which the commit record needs anyway: one that is fenced does not decide its state. */
  async acknowledged(): Promise<void> {
    await this.#guarded(async () => {
      await this.#opened().sender.flushed()
      await this.#enlist([this.#parts.commits], true)
    })
  }

  async commit(record: CommitRecord): Promise<void> {
    await this.#guarded(async () => {
      this.#opened()
      if (decideCommit(this.#inForce, record) === 'delivered') return this.#rollBack()
      try {
        await this.#write(record)
      } catch (error) {
        if (!(await this.#isInForce(record, error))) throw error
      }
    })
  }

  async abort(): Promise<void> {
    await this.#ended()
  }

  async close(): Promise<void> {
    await this.#ended()
    this.#over ??= new Error('the outside is closed')
  }

  /** Leaves no transaction open. What prevents that ends the handle: whoever uses it again is told. */
  async #ended(): Promise<void> {
    if (this.#over !== undefined) return
    try {
      await this.#guarded(() => this.#rollBack())
    } catch (error) {
      this.#over ??= error
    }
  }

  async #open(): Promise<void> {
    if (this.#producer === undefined) await this.#initialise()
    else await this.#rollBack()
    this.#transaction = { partitions: new Set(), startedAt: undefined }
  }

  /** Gives the record in force, and gets ready what fences nobody meanwhile. */
  async #prepared(): Promise<CommitRecord | undefined> {
    const { commits, coordinator } = this.#parts
    const [inForce] = await Promise.all([this.read(), commits.ensure(), coordinator.find()])
    this.#isPrepared = true
    return inForce
  }

  async #initialise(): Promise<void> {
    const { coordinator, sender, transactionTimeoutMs } = this.#parts
    if (!this.#isPrepared) await this.#prepared()
    const id = await coordinator.initialise(transactionTimeoutMs)
    this.#inForce = await this.read()
    this.#producer = { id, sender: sender(id) }
  }

  #opened(): Producer & { readonly transaction: Transaction } {
    if (this.#producer === undefined || this.#transaction === undefined) {
      throw new Error('batches are sent inside a transaction: begin comes first')
    }
    return { ...this.#producer, transaction: this.#transaction }
  }

  /** Takes partitions into the transaction. `again`: the coordinator is asked for those too that it has already. */
  async #enlist(wanted: readonly TopicPartition[], again = false): Promise<void> {
    const { id, sender, transaction } = this.#opened()
    const { coordinator, clock } = this.#parts
    const missing = new Map<string, TopicPartition>()
    for (const { topic, partition } of wanted) {
      const key = partitionKey(topic, partition)
      if (again || !transaction.partitions.has(key)) missing.set(key, { topic, partition })
    }
    if (missing.size === 0) return
    await sender.reach(missing.values())
    transaction.startedAt ??= clock.now()
    await coordinator.add(id, [...missing.values()])
    for (const key of missing.keys()) transaction.partitions.add(key)
  }

  /** Puts the record into the open transaction and commits that. Readers see both when it resolves. */
  async #write(record: CommitRecord): Promise<void> {
    const { commits, coordinator, clock } = this.#parts
    const { id, sender } = this.#opened()
    await this.#enlist([commits])
    await sender.send([commits.batch(record, clock.now())])
    await sender.flushed()
    await coordinator.end(id, 'commit')
    this.#transaction = undefined
    this.#inForce = record
    await coordinator.settled(id)
  }

  /** A commit whose answer was lost is looked for before it is called failed. */
  async #isInForce({ token }: CommitRecord, error: unknown): Promise<boolean> {
    if (!(error instanceof ProducerFenced) && !isTidemarkError(error, 'LOG_UNREACHABLE')) return false
    const found = await this.read().catch(() => undefined) // the error is the one to tell
    return found !== undefined && found.token?.id === token?.id
  }

  async #rollBack(): Promise<void> {
    if (this.#producer === undefined || this.#transaction === undefined) return
    const { id, sender } = this.#producer
    const { partitions } = this.#transaction
    const known = await sender.clear()
    if (partitions.size > 0) await this.#parts.coordinator.end(id, 'abort')
    this.#transaction = undefined
    if (!known) throw unreachable('it is not known which of the batches that were sent the brokers have')
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#over !== undefined) throw this.#over
    try {
      return await work()
    } catch (error) {
      const told = error instanceof ProducerFenced ? await this.#lost(error) : error
      if (isTidemarkError(told, 'FENCED') || isTidemarkError(told, 'LOG_UNREACHABLE')) this.#over = told
      throw told
    }
  }

  async #lost(cause: ProducerFenced): Promise<Error> {
    const { clock, transactionTimeoutMs } = this.#parts
    const found = await this.read().catch(() => undefined) // what the broker said is the error to tell
    const openMs = clock.now() - (this.#transaction?.startedAt ?? clock.now())
    return lostTransaction({ cause, known: this.#inForce, found, openMs, transactionTimeoutMs })
  }
}

function* checked(batches: readonly StagedBatch[]): Generator<CheckedBatch> {
  for (const batch of batches) yield checkedBatch(batch)
}
