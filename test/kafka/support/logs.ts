import { onTestFinished } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { PartitionRange, TopicPartition } from '../../../src/core/offsets.ts'
import type { Chunk, LogReader } from '../../../src/ports/log.ts'
import { recordsOf } from '../../contract/log/records.ts'
import { testSettings } from './settings.ts'

let names = 0

/** A name that no other test has, on a broker that all share. */
export function unique(name: string): string {
  return `${name}-${process.pid}-${Date.now()}-${++names}`
}

/** A log that is closed with the test. */
export function openLog(bootstrap: string, query = ''): KafkaLog {
  const log = new KafkaLog(testSettings(bootstrap, query), systemClock)
  onTestFinished(() => log.close())
  return log
}

/** A topic of its own, with as many partitions as asked. */
export async function makeTopic(
  log: KafkaLog,
  name: string,
  partitions = 1,
  settings: Readonly<Record<string, string>> = {},
): Promise<(partition?: number) => TopicPartition> {
  const topic = unique(name)
  await log.admin().create({ name: topic, partitions, settings })
  return (partition = 0) => ({ topic, partition })
}

/** What is left of one range of a reader: `3k=v`. */
export async function rest(reader: LogReader, index: number, { from, to }: PartitionRange): Promise<readonly string[]> {
  const chunks: Chunk[] = []
  for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) chunks.push(chunk)
  return recordsOf(chunks, from, to).map(({ offset, key, value }) => `${offset}${key}=${value}`)
}

/** The whole of some partitions, as they are now. */
export async function wholeRanges(log: KafkaLog, partitions: readonly TopicPartition[]): Promise<PartitionRange[]> {
  const bounds = await log.bounds(partitions, 'read_committed')
  return bounds.map(({ topic, partition, start, end }) => ({ topic, partition, from: start, to: end }))
}
