import { randomUUID } from 'node:crypto'
import type { KafkaMessage } from 'kafkajs'
import { foreignKafka } from './foreign-producer.ts'

/** A record as kafkajs' consumer gives it. It keeps no order of headers. */
export interface KafkajsRecord {
  readonly partition: number
  readonly message: KafkaMessage
}

/**
 * All that is committed of a topic, as kafkajs' consumer reads it, by partition and offset. It is not told where a log
 * ends, so it writes a last record of its own into every partition first.
 */
export async function kafkajsReads(bootstrap: string, topic: string): Promise<readonly KafkajsRecord[]> {
  const kafka = foreignKafka(bootstrap)
  const last = `last ${randomUUID()}`
  const admin = kafka.admin()
  await admin.connect()
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
  const left = new Set(topics[0]?.partitions.map(({ partitionId }) => partitionId))
  await admin.disconnect()
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()
  await producer.send({ topic, messages: [...left].map((partition) => ({ partition, key: last, value: last })) })
  await producer.disconnect()

  const records: KafkajsRecord[] = []
  const consumer = kafka.consumer({ groupId: `g-${randomUUID()}`, readUncommitted: false })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  await new Promise<void>((resolve, reject) => {
    const eachMessage = async ({ partition, message }: KafkajsRecord) => {
      if (message.key?.toString() !== last) records.push({ partition, message })
      else if (left.delete(partition) && left.size === 0) resolve()
    }
    consumer.run({ autoCommit: false, eachMessage }).catch(reject)
  })
  await consumer.disconnect()
  return records.sort(
    (left, right) => left.partition - right.partition || Number(left.message.offset) - Number(right.message.offset),
  )
}
