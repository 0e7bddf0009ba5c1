import { randomUUID } from 'node:crypto'
import { Kafka, logLevel } from 'kafkajs'
import type { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import type { CodecName } from '../../../src/wire/codec.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import type { Figure } from '../figure.ts'
import { cpu, leastOf, rate, ratio, stopwatch, type Took } from './rate.ts'
import { batchesOf, PARTITIONS, RECORDS } from './records.ts'

/** This reader, and the consumer of kafkajs, over the same records. */
export async function measureReading(log: KafkaLog, bootstrap: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const codec of ['none', 'gzip'] as const satisfies readonly CodecName[]) {
    const topic = `read-${codec}-${randomUUID()}`
    await log.admin().create({ name: topic, partitions: PARTITIONS })
    await log.admin().append(batchesOf(topic, codec))
    const { own, kafkajs } = await leastOf({
      own: () => read(log, topic),
      kafkajs: () => consume(bootstrap, topic),
    })
    const name = codec === 'none' ? 'reading 1,000,000 records' : `reading 1,000,000 records, ${codec}`
    const theirs = `${name}: consumer of kafkajs`
    figures.push(rate(name, RECORDS, own), cpu(name, RECORDS, own))
    figures.push(rate(theirs, RECORDS, kafkajs), cpu(theirs, RECORDS, kafkajs))
    figures.push(ratio(`${name}, beside kafkajs`, own.wallMs, kafkajs.wallMs, 3))
    figures.push(ratio(`${name}, beside kafkajs, by CPU`, own.cpuMs, kafkajs.cpuMs))
    await log.admin().delete(topic)
  }
  return figures
}

/** The time from asking for the bounds to the last record, every record looked at. */
async function read(log: KafkaLog, topic: string): Promise<Took> {
  const took = stopwatch()
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => ({ topic, partition }))
  const bounds = await log.bounds(partitions, 'read_committed')
  const ranges = bounds.map(({ partition, start, end }) => ({ topic, partition, from: start, to: end }))
  const reader = log.reader(ranges, { isolation: 'read_committed' })
  const cursor = new RecordCursor()
  let records = 0
  for (const index of ranges.keys()) {
    for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
      for (const batch of chunk.batches) {
        cursor.open(batch)
        while (cursor.next()) records++
      }
    }
  }
  await reader.close()
  requireAll(records)
  return took()
}

/** The time from the first batch to the last record: joining a group does not count. */
async function consume(bootstrap: string, topic: string): Promise<Took> {
  const kafka = new Kafka({ clientId: 'bench', brokers: bootstrap.split(','), logLevel: logLevel.NOTHING })
  const consumer = kafka.consumer({ groupId: `bench-${randomUUID()}`, readUncommitted: false })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  const result = await new Promise<Took>((resolve, reject) => {
    let took: (() => Took) | undefined
    let records = 0
    const eachBatch = async ({ batch }: { batch: { messages: readonly unknown[] } }) => {
      took ??= stopwatch()
      records += batch.messages.length
      if (records >= RECORDS) resolve(took())
    }
    consumer.run({ autoCommit: false, eachBatchAutoResolve: true, eachBatch }).catch(reject)
  })
  await consumer.disconnect()
  return result
}

function requireAll(records: number): void {
  if (records !== RECORDS) throw new Error(`${records} records were read instead of ${RECORDS}`)
}
