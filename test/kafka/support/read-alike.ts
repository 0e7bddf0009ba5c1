import { expect } from 'vitest'
import { type JavaRecord, javaReads } from './java-client.ts'
import { type KafkajsRecord, kafkajsReads } from './kafkajs-reader.ts'

/** Expects that the Java client and kafkajs find the same records in a topic, reading what is committed: at least one. */
export async function expectReadAlike(bootstrap: string, topics: readonly string[]): Promise<void> {
  const java = javaReads(bootstrap, topics)
  for (const topic of topics) {
    const wanted = java.filter((record) => record.topic === topic)
    expect(wanted.length, topic).toBeGreaterThan(0)
    const found = await kafkajsReads(bootstrap, topic, wanted.length)
    expect(found.map(fromKafkajs), topic).toEqual(wanted.map(fromJava))
  }
}

function fromJava({ topic: _, headers, ...record }: JavaRecord) {
  return { ...record, headers: Object.fromEntries(headers.map(([name, value]) => [text(name), value])) }
}

function fromKafkajs({ partition, message: { offset, timestamp, key, value, headers } }: KafkajsRecord) {
  return {
    partition,
    offset: Number(offset),
    timestamp: Number(timestamp),
    key: key?.toString('hex') ?? null,
    value: value?.toString('hex') ?? null,
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, bytes]) => [
        name,
        Buffer.isBuffer(bytes) ? bytes.toString('hex') : null,
      ]),
    ),
  }
}

function text(hex: string): string {
  return Buffer.from(hex, 'hex').toString()
}
