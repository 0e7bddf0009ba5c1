import type { Kafka } from 'kafkajs'
import { Brokers } from '../../../src/adapters/kafka/connection/brokers.ts'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { BatchSender } from '../../../src/adapters/kafka/produce/batch-sender.ts'
import { checkedBatch } from '../../../src/adapters/kafka/produce/checked-batch.ts'
import { limitOf } from '../../../src/adapters/kafka/produce/limit-of.ts'
import { TransactionCoordinator } from '../../../src/adapters/kafka/produce/transaction-coordinator.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { TopicPartition } from '../../../src/core/offsets.ts'
import type { Log, StagedBatch } from '../../../src/ports/log.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { append } from '../../laws/support/play.ts'
import type { RandomRecord } from '../../laws/support/random-case.ts'
import { comesTrue } from '../support/comes-true.ts'
import { foreignKafka, foreignTransaction } from '../support/foreign-producer.ts'
import type { KafkaWorld } from './kafka-world.ts'

/** What another client leaves in the input beside what counts. */
export interface Mark {
  /** Records that count and lie in front of it. */
  readonly after: number
  /** Rolled back by our own producer, or by one of kafkajs; or a marker alone. */
  readonly kind: 'aborted' | 'aborted by kafkajs' | 'marker'
  readonly topic: 'in' | 'tab'
  readonly partition: number
}

/** Appends records with marks of other transactions between them. */
export async function appendMarked(
  world: KafkaWorld,
  log: Log,
  records: readonly RandomRecord[],
  marks: readonly Mark[],
): Promise<void> {
  const brokers = new Brokers(world.settings, systemClock)
  const transactionalId = `${world.prefix}marks`
  const coordinator = new TransactionCoordinator(brokers, transactionalId)
  const producer = await coordinator.initialise(60_000)
  const sender = new BatchSender(brokers, { transactionalId, producer, limitOf: (topic) => limitOf(brokers, topic) })
  const kafkajs = foreignKafka(world.settings.brokers.map(({ host, port }) => `${host}:${port}`).join(','))
  const leave = async ({ kind, topic, partition }: Mark) => {
    const at = { topic: world.prefix + topic, partition }
    if (kind === 'aborted by kafkajs') return abortedBy(kafkajs, rolledBack(at), world)
    await sender.reach([at])
    await coordinator.add(producer, [at])
    if (kind === 'aborted') {
      await sender.send([checkedBatch(rolledBack(at))])
      await sender.flushed()
    }
    await coordinator.end(producer, kind === 'aborted' ? 'abort' : 'commit')
    await coordinator.settled(producer)
  }
  let done = 0
  for (const mark of [...marks].sort((left, right) => left.after - right.after)) {
    const until = Math.min(Math.max(done, mark.after), records.length)
    await append(log, records.slice(done, until), 3)
    done = until
    await leave(mark)
  }
  await append(log, records.slice(done), 3)
  await brokers.close()
}

/** Resolves when the marker is there. */
async function abortedBy(kafkajs: Kafka, batch: StagedBatch, { settings }: KafkaWorld): Promise<void> {
  const log = new KafkaLog(settings, systemClock)
  const transaction = await foreignTransaction(kafkajs)
  await transaction.append([batch])
  await transaction.end()
  await comesTrue(`the marker in ${batch.topic}[${batch.partition}]`, async () => {
    const [bounds] = await log.bounds([batch], 'read_committed')
    return bounds !== undefined && bounds.end === bounds.highWatermark
  })
  await log.close()
}

/** Records with times that would make all others late. */
function rolledBack(at: TopicPartition): StagedBatch {
  return batchOf(at, [record('a', '{"n":5,"group":"x"}', 5000), record('b', '{"n":5,"group":"y"}', 6000)])
}
