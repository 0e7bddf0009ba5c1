import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Kafka, logLevel, type Message } from 'kafkajs'
import type { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import { BatchStager } from '../../../src/runtime/batch-stager.ts'
import { compiled, runOrThrow } from '../../kafka/broker/java.ts'
import type { Figure } from '../figure.ts'
import { cpu, leastOf, rate, ratio, stopwatch, type Took } from './rate.ts'
import { FIRST_TIMESTAMP, keyOf, PARTITIONS, RECORDS, VALUE } from './records.ts'

const JAVA = fileURLToPath(new URL('./Produce.java', import.meta.url))
const MESSAGES_AT_ONCE = 5_000
/** Batches that a run hands over together take so much. */
const SENT_TOGETHER_BYTES = 1024 * 1024

/** A slice with a million records, from encoding to its commit; and producers of others, acknowledged by all replicas. */
export async function measureDelivery(log: KafkaLog, bootstrap: string): Promise<readonly Figure[]> {
  const topic = `write-${randomUUID()}`
  await log.admin().create({ name: topic, partitions: PARTITIONS })
  const { own, kafkajs, java } = await leastOf({
    own: () => deliver(log, topic),
    kafkajs: () => produce(bootstrap, topic),
    java: async () => {
      const args = ['-cp', compiled(JAVA), 'Produce', bootstrap, topic, String(RECORDS), String(VALUE)]
      return { wallMs: Number(runOrThrow('java', args)), cpuMs: Number.NaN }
    },
  })
  await log.admin().delete(topic)
  const name = 'delivering 1,000,000 records'
  return [
    rate(name, RECORDS, own, 800_000),
    cpu(name, RECORDS, own),
    rate(`${name}: producer of kafkajs`, RECORDS, kafkajs),
    cpu(`${name}: producer of kafkajs`, RECORDS, kafkajs),
    rate(`${name}: producer of Java`, RECORDS, java),
    ratio(`${name}, beside kafkajs`, own.wallMs, kafkajs.wallMs, 6),
    ratio(`${name}, beside kafkajs, by CPU`, own.cpuMs, kafkajs.cpuMs),
    ratio(`${name}, beside Java`, own.wallMs, java.wallMs),
  ]
}

/** As a slice does it: encoded into batches for each partition, which are sent as they fill. */
async function deliver(log: KafkaLog, topic: string): Promise<Took> {
  const delivery = { instance: 'bench', runId: 'bench', leaseUntil: 0, endsRun: true }
  const outside = await log.outside(topic, randomUUID())
  await outside.claim(delivery, 0, false)
  const took = stopwatch()
  const stager = new BatchStager(topic, PARTITIONS)
  await outside.begin()
  for (let n = 0; n < RECORDS; n++) {
    stager.append(keyOf(n), VALUE, FIRST_TIMESTAMP + n, NO_HEADERS, 0)
    if (stager.stagedBytes >= SENT_TOGETHER_BYTES) await outside.send(stager.drain(false))
  }
  await outside.send(stager.drain(true))
  await outside.acknowledged()
  const token = { seq: 1, id: randomUUID(), parent: null }
  await outside.commit({ token, checkpoint: Buffer.from('{}'), delivery })
  const result = took()
  await outside.close()
  return result
}

async function produce(bootstrap: string, topic: string): Promise<Took> {
  const kafka = new Kafka({ clientId: 'bench', brokers: bootstrap.split(','), logLevel: logLevel.NOTHING })
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()
  const took = stopwatch()
  for (let first = 0; first < RECORDS; first += MESSAGES_AT_ONCE) {
    const messages = Array.from(
      { length: MESSAGES_AT_ONCE },
      (_, index): Message => ({ key: keyOf(first + index), value: VALUE, partition: index % PARTITIONS }),
    )
    await producer.send({ topic, messages, acks: -1 })
  }
  const result = took()
  await producer.disconnect()
  return result
}
