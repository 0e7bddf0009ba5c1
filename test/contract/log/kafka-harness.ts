import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { partitionKey, type TopicPartition } from '../../../src/core/offsets.ts'
import type { Log } from '../../../src/ports/log.ts'
import { comesTrue } from '../../kafka/support/comes-true.ts'
import { emptyTransactions } from '../../kafka/support/empty-transactions.ts'
import { foreignKafka, foreignTransaction } from '../../kafka/support/foreign-producer.ts'
import { testSettings } from '../../kafka/support/settings.ts'
import { type LogHarness, unable } from './harness.ts'

let tests = 0

/** Topics of one broker: every test has a prefix of its own for their names. */
export function kafkaHarness(bootstrap: () => Promise<string>): LogHarness {
  return {
    lacks: ['truncate', 'compact', 'retention', 'settings', 'exact end for times'],
    async make() {
      const settings = testSettings(await bootstrap())
      const open = () => new KafkaLog(settings, systemClock)
      const first = open()
      const kafka = foreignKafka(await bootstrap())
      const prefix = `c${process.pid}-${Date.now()}-${++tests}-`
      const leftOpen: { end(): Promise<void> }[] = []
      return {
        open: async () => open(),
        name: (topic) => prefix + topic,
        skip: (at, offsets) => emptyTransactions(settings, at, offsets),
        truncate: unable('truncate'),
        async transaction() {
          const transaction = await foreignTransaction(kafka)
          leftOpen.push(transaction)
          const touched = new Map<string, TopicPartition>()
          const ended = async (end: () => Promise<void>) => {
            const before = await ends(first, touched)
            await end()
            await comesTrue(`a marker in each of ${[...touched.keys()]}`, async () =>
              (await ends(first, touched)).every((end, index) => end !== before[index]),
            )
          }
          return {
            async append(batches) {
              for (const batch of batches) touched.set(partitionKey(batch.topic, batch.partition), batch)
              await transaction.append(batches)
            },
            commit: () => ended(transaction.commit),
            abort: () => ended(transaction.abort),
          }
        },
        async dispose() {
          for (const transaction of leftOpen) await transaction.end()
          for (const { name } of await first.describe()) {
            if (name.replace(/^tidemark\./, '').startsWith(prefix)) await first.admin().delete(name)
          }
          await first.close()
        },
      }
    },
  }
}

async function ends(log: Log, partitions: ReadonlyMap<string, TopicPartition>): Promise<readonly number[]> {
  const bounds = await log.bounds([...partitions.values()], 'read_uncommitted')
  return bounds.map(({ highWatermark }) => highWatermark)
}
