import { randomUUID } from 'node:crypto'
import { partitionKey, type TopicPartition } from '../../../core/offsets.ts'
import type { Brokers } from '../connection/brokers.ts'
import { unreachable } from '../connection/unreachable-error.ts'
import type { ProducerId } from '../protocol/init-producer-id.ts'
import { BatchSender } from './batch-sender.ts'
import type { CheckedBatch } from './checked-batch.ts'
import { limitOf } from './limit-of.ts'
import { ProducerFenced } from './producer-fenced.ts'
import { TransactionCoordinator } from './transaction-coordinator.ts'

/** The longest that brokers allow by default. */
const TRANSACTION_TIMEOUT_MS = 900_000

/** One transaction with a transactional id of its own, which nobody else has. */
export class AppendTransaction {
  readonly #coordinator: TransactionCoordinator
  readonly #producer: ProducerId
  readonly #sender: BatchSender
  readonly #partitions = new Set<string>()

  private constructor(coordinator: TransactionCoordinator, producer: ProducerId, sender: BatchSender) {
    this.#coordinator = coordinator
    this.#producer = producer
    this.#sender = sender
  }

  static async open(brokers: Brokers): Promise<AppendTransaction> {
    const transactionalId = `tidemark-append-${randomUUID()}`
    const coordinator = new TransactionCoordinator(brokers, transactionalId)
    const producer = await coordinator.initialise(TRANSACTION_TIMEOUT_MS)
    const sender = new BatchSender(brokers, { transactionalId, producer, limitOf: (topic) => limitOf(brokers, topic) })
    return new AppendTransaction(coordinator, producer, sender)
  }

  /** Takes the batches, whose bytes stay as they are until `commit`. */
  async send(batches: readonly CheckedBatch[]): Promise<void> {
    await inTime(async () => {
      const missing = new Map<string, TopicPartition>()
      for (const { topic, partition } of batches) {
        const key = partitionKey(topic, partition)
        if (!this.#partitions.has(key)) missing.set(key, { topic, partition })
      }
      if (missing.size > 0) {
        await this.#sender.reach(missing.values())
        await this.#coordinator.add(this.#producer, [...missing.values()])
        for (const key of missing.keys()) this.#partitions.add(key)
      }
      await this.#sender.send(batches)
    })
  }

  /** Readers see it when this resolves. */
  async commit(): Promise<void> {
    await inTime(async () => {
      await this.#sender.flushed()
      await this.#coordinator.end(this.#producer, 'commit')
      await this.#coordinator.settled(this.#producer)
    })
  }

  async abort(): Promise<void> {
    await this.#sender.clear()
    if (this.#partitions.size > 0) await this.#coordinator.end(this.#producer, 'abort')
  }
}

async function inTime(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProducerFenced)) throw error
    throw unreachable(
      'the brokers have given the append up, as one that does not end; nothing of it can be seen',
      error,
    )
  }
}
