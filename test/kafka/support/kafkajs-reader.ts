import { randomUUID } from 'node:crypto'
import type { KafkaMessage } from 'kafkajs'
import { foreignKafka } from './foreign-producer.ts'

const LIMIT_MS = 30_000

/** A record as kafkajs' consumer gives it. It keeps no order of headers. */
export interface KafkajsRecord {
  readonly partition: number
  readonly message: KafkaMessage
}

/**
 * The first `count` records that are committed of a topic, and what else has come with them, as kafkajs' consumer reads it, by
 * partition and offset. It is not told where a log ends. Throws what makes the consumer stop, and where they do not come in
 * half a minute.
 */
export async function kafkajsReads(bootstrap: string, topic: string, count: number): Promise<readonly KafkajsRecord[]> {
  const records: KafkajsRecord[] = []
  const consumer = foreignKafka(bootstrap).consumer({ groupId: `g-${randomUUID()}`, readUncommitted: false })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${records.length} of ${count} records came`)), LIMIT_MS)
      consumer.on('consumer.crash', ({ payload }) => {
        if (!payload.restart) reject(payload.error) // a new broker's coordinator, say, is still loading
      })
      const eachMessage = async ({ partition, message }: KafkajsRecord) => {
        records.push({ partition, message })
        if (records.length === count) resolve()
      }
      consumer.run({ autoCommit: false, eachMessage }).catch(reject)
    })
  } finally {
    clearTimeout(timer)
    await consumer.disconnect()
  }
  return records.sort(
    (left, right) => left.partition - right.partition || Number(left.message.offset) - Number(right.message.offset),
  )
}
