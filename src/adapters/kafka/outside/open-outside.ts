import type { Log } from '../../../ports/log.ts'
import type { Outside } from '../../../ports/outside.ts'
import type { Brokers } from '../connection/brokers.ts'
import { BatchSender } from '../produce/batch-sender.ts'
import { limitOf } from '../produce/limit-of.ts'
import { TransactionCoordinator } from '../produce/transaction-coordinator.ts'
import { CommitTopic } from './commit-topic.ts'
import { KafkaOutside } from './kafka-outside.ts'
import { transactionalIdOf } from './transactional-id.ts'

/** As long as a lease: whoever may take the job over finds no transaction of a dead instance in its way. */
export const TRANSACTION_TIMEOUT_MS = 300_000

/** The way out of a job, under `key`. Nothing is asked of the brokers yet. */
export function openOutside(
  brokers: Brokers,
  log: Pick<Log, 'describe' | 'bounds' | 'reader' | 'admin'>,
  { job, key, transactionTimeoutMs = TRANSACTION_TIMEOUT_MS }: OutsideOptions,
): Outside {
  const transactionalId = transactionalIdOf(job, key)
  return new KafkaOutside({
    commits: new CommitTopic(log, job, key),
    coordinator: new TransactionCoordinator(brokers, transactionalId),
    sender: (producer) =>
      new BatchSender(brokers, { transactionalId, producer, limitOf: (topic) => limitOf(brokers, topic) }),
    clock: brokers.clock,
    transactionTimeoutMs,
  })
}

export interface OutsideOptions {
  readonly job: string
  /** `live`, or a generation. */
  readonly key: string
  readonly transactionTimeoutMs?: number
}
