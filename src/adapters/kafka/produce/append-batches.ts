import { TidemarkError } from '../../../core/errors.ts'
import type { StagedBatch } from '../../../ports/log.ts'
import { type AcceptedBatch, acceptBatch, type TargetTopic } from '../../log-rules/accept-batch.ts'
import { describeTopics } from '../admin/describe-topics.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { ERROR, errorName } from '../protocol/error-code.ts'
import { initProducerIdRequest, type ProducerId } from '../protocol/init-producer-id.ts'
import { AppendTransaction } from './append-transaction.ts'
import { BatchSender } from './batch-sender.ts'
import { limitOf } from './limit-of.ts'

/** An append of more than this is a transaction. */
const PLAIN_BYTES = 1024 * 1024

/** Where it may not be seen, the broker alone knows it. */
const UNKNOWN_LIMIT = { 'max.message.bytes': String(Number.MAX_SAFE_INTEGER) }

/**
 * Appends batches, all or none, as the port says. Whatever a topic's settings refuse is found before anything is sent. What
 * one request of a megabyte holds is sent as it is, once: only a broker or a process that dies in these milliseconds can
 * leave a part of it. More is one transaction, however long it takes: its end takes an offset in each partition.
 */
export async function appendBatches(brokers: Brokers, batches: Iterable<StagedBatch>): Promise<void> {
  const target = targets(brokers)
  const held: AcceptedBatch[] = []
  let heldBytes = 0
  let transaction: AppendTransaction | undefined
  try {
    for (const batch of batches) {
      const accepted = acceptBatch(batch, await target(batch.topic))
      if (transaction !== undefined) {
        await transaction.send([accepted])
        continue
      }
      held.push(accepted)
      heldBytes += accepted.bytes.length
      if (heldBytes <= PLAIN_BYTES) continue
      transaction = await AppendTransaction.open(brokers)
      await transaction.send(held)
    }
    if (transaction === undefined) await appendPlainly(brokers, held)
    else await transaction.commit()
  } catch (error) {
    await transaction?.abort().catch(() => {}) // the first error is the one to tell
    throw error
  }
}

async function appendPlainly(brokers: Brokers, batches: readonly AcceptedBatch[]): Promise<void> {
  if (batches.length === 0) return
  const producer = await newProducer(brokers)
  const sender = new BatchSender(brokers, {
    transactionalId: null,
    producer,
    limitOf: (topic) => limitOf(brokers, topic),
  })
  await sender.reach(batches)
  await sender.send(batches)
  await sender.flushed()
}

/** A producer of this append alone: what is sent again is appended once. */
async function newProducer(brokers: Brokers): Promise<ProducerId> {
  return brokers.retried(async () => {
    const { errorCode, producerId, producerEpoch } = await brokers.any(initProducerIdRequest(null, 0))
    if (errorCode === ERROR.NONE) return { producerId, producerEpoch }
    if (errorCode !== ERROR.CLUSTER_AUTHORIZATION_FAILED) throw new LinkFailure('the cluster', errorName(errorCode))
    throw new TidemarkError('OUTPUT_REFUSED', 'writing to the cluster is not allowed', {
      hint: 'Give the user that is logged in the right to write to topics.',
    })
  })
}

/** What is known of each topic, asked once; undefined for one that does not exist. */
function targets(brokers: Brokers): (topic: string) => Promise<TargetTopic | undefined> {
  const known = new Map<string, TargetTopic | undefined>()
  return async (topic) => {
    if (!known.has(topic)) {
      const [found] = await describeTopics(brokers, [topic])
      known.set(topic, found && { ...found, settings: { ...UNKNOWN_LIMIT, ...found.settings } })
    }
    return known.get(topic)
  }
}
