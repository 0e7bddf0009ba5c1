import { Kafka, logLevel, type Message } from 'kafkajs'
import type { StagedBatch } from '../../../src/ports/log.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import type { ForeignTransaction } from '../../contract/log/harness.ts'

let transactions = 0

/** kafkajs, as another program uses it. */
export function foreignKafka(bootstrap: string): Kafka {
  return new Kafka({
    clientId: 'another',
    brokers: bootstrap.split(','),
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 20, factor: 0, multiplier: 1.2, retries: 50 },
  })
}

/** A transaction of a producer of its own. It is aborted by `end` if it is still open. */
export async function foreignTransaction(kafka: Kafka): Promise<ForeignTransaction & { end(): Promise<void> }> {
  const producer = kafka.producer({
    transactionalId: `another-${process.pid}-${Date.now()}-${++transactions}`,
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  })
  await producer.connect()
  const transaction = await producer.transaction()
  const end = async () => {
    if (transaction.isActive()) await transaction.abort()
    await producer.disconnect()
  }
  return {
    async append(batches) {
      for (const batch of batches) await transaction.send({ topic: batch.topic, messages: messagesOf(batch) })
    },
    commit: () => transaction.commit(),
    abort: () => transaction.abort(),
    end,
  }
}

/** Records as kafkajs takes them: its headers have no order. */
function messagesOf({ bytes, partition }: StagedBatch): Message[] {
  const cursor = new RecordCursor()
  cursor.open(bytes)
  const messages: Message[] = []
  while (cursor.next()) {
    const key = cursor.key()
    const value = cursor.value()
    messages.push({
      key: key === null ? null : Buffer.from(key, 'latin1'),
      value: value === null ? null : Buffer.from(value),
      timestamp: String(cursor.timestamp),
      partition,
    })
  }
  return messages
}
