import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Kafka, logLevel, type Message } from 'kafkajs'
import type { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { compiled, runOrThrow } from '../../kafka/broker/java.ts'
import type { Figure } from '../figure.ts'
import { bestRate, rate, ratio } from './rate.ts'
import { batchesOf, keyOf, PARTITIONS, RECORDS, VALUE } from './records.ts'

const JAVA = fileURLToPath(new URL('./Produce.java', import.meta.url))
const MESSAGES_AT_ONCE = 5_000
/** Batches that a run hands over together. */
const BATCHES_AT_ONCE = 16

/** A slice with a million records, from encoding to its commit; and producers of others, acknowledged by all replicas. */
export async function measureDelivery(log: KafkaLog, bootstrap: string): Promise<readonly Figure[]> {
  const topic = `write-${randomUUID()}`
  await log.admin().create({ name: topic, partitions: PARTITIONS })
  const own = await bestRate(RECORDS, () => deliver(log, topic))
  const kafkajs = await bestRate(RECORDS, () => produce(bootstrap, topic))
  const java = await bestRate(RECORDS, async () =>
    Number(runOrThrow('java', ['-cp', compiled(JAVA), 'Produce', bootstrap, topic, String(RECORDS), String(VALUE)])),
  )
  await log.admin().delete(topic)
  const name = 'delivering 1,000,000 records'
  return [
    rate(name, own),
    rate(`${name}: producer of kafkajs`, kafkajs),
    rate(`${name}: producer of Java`, java),
    ratio(`${name}, beside kafkajs`, own / kafkajs, 6),
    ratio(`${name}, beside Java`, own / java),
  ]
}

async function deliver(log: KafkaLog, topic: string): Promise<number> {
  const delivery = { instance: 'bench', runId: 'bench', leaseUntil: 0, endsRun: true }
  const outside = await log.outside(topic, randomUUID())
  await outside.claim(delivery, 0, false)
  const started = performance.now()
  await outside.begin()
  let staged = []
  for (const batch of batchesOf(topic)) {
    staged.push(batch)
    if (staged.length < BATCHES_AT_ONCE) continue
    await outside.send(staged)
    staged = []
  }
  await outside.send(staged)
  await outside.acknowledged()
  const token = { seq: 1, id: randomUUID(), parent: null }
  await outside.commit({ token, checkpoint: Buffer.from('{}'), delivery })
  const tookMs = performance.now() - started
  await outside.close()
  return tookMs
}

async function produce(bootstrap: string, topic: string): Promise<number> {
  const kafka = new Kafka({ clientId: 'bench', brokers: bootstrap.split(','), logLevel: logLevel.NOTHING })
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()
  const started = performance.now()
  for (let first = 0; first < RECORDS; first += MESSAGES_AT_ONCE) {
    const messages = Array.from(
      { length: MESSAGES_AT_ONCE },
      (_, index): Message => ({ key: keyOf(first + index), value: VALUE, partition: index % PARTITIONS }),
    )
    await producer.send({ topic, messages, acks: -1 })
  }
  const tookMs = performance.now() - started
  await producer.disconnect()
  return tookMs
}
