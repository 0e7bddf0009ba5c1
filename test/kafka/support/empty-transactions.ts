import { Brokers } from '../../../src/adapters/kafka/connection/brokers.ts'
import { TransactionCoordinator } from '../../../src/adapters/kafka/produce/transaction-coordinator.ts'
import type { KafkaSettings } from '../../../src/adapters/kafka/settings/kafka-settings.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { TopicPartition } from '../../../src/core/offsets.ts'

let transactions = 0

/** Transactions without records: each leaves its marker alone, an offset that holds nothing. */
export async function emptyTransactions(settings: KafkaSettings, at: TopicPartition, count: number): Promise<void> {
  const brokers = new Brokers(settings, systemClock)
  const coordinator = new TransactionCoordinator(brokers, `empty-${process.pid}-${Date.now()}-${++transactions}`)
  const producer = await coordinator.initialise(60_000)
  for (let i = 0; i < count; i++) {
    await coordinator.add(producer, [at])
    await coordinator.end(producer, 'commit')
  }
  await coordinator.settled(producer)
  await brokers.close()
}
