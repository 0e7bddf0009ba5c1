import { beforeAll, describe, expect, it } from 'vitest'
import type { CodecName } from '../../../src/wire/codec.ts'
import { batchOf, type ReadRecord, readAll, record } from '../../contract/log/records.ts'
import { type Commit, commitAfter, deliver } from '../../contract/outside/commits.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { javaReads } from '../support/java-client.ts'
import { javaMissing } from '../support/java-writer.ts'
import { kafkajsReads } from '../support/kafkajs-reader.ts'
import { outsideWorld } from './world.ts'

const kafka = kafkaBroker()
const hex = (text: string | null) => (text === null ? null : Buffer.from(text, 'latin1').toString('hex'))

describe.skipIf(kafka.missing)('what goes out to Kafka is read alike by others', () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)
  const { name, log, outside } = outsideWorld()
  const at = (partition: number) => ({ topic: name('out'), partition })

  const records = (slice: number) =>
    Array.from({ length: 40 }, (_, index) =>
      record(
        index % 7 === 3 ? null : `k\xff${slice}-${index % 5}`,
        index % 5 === 2 ? null : `\0${slice} ${index}`.repeat(index),
        1_600_000_000_000 + ((index * 7919) % 100_000),
        [
          ['h', Buffer.from(`${index}`)],
          ['x', null],
        ],
      ),
    )

  const ALL_CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd', 'none'] as const

  /** Six slices; every third is given up, and one is left to be given up by the next handle. */
  async function written(codecs: readonly CodecName[]): Promise<void> {
    await log()
      .admin()
      .create({ name: name('out'), partitions: 2 })
    let last: Commit | null = null
    let out = outside()
    for (const [slice, codec] of codecs.entries()) {
      const batches = [0, 1, 0].map((partition) => batchOf(at(partition), records(slice), codec))
      if (slice % 3 === 1) {
        await out.begin()
        await out.send(batches)
        await out.acknowledged()
        if (slice === 1) await out.abort()
        else out = outside()
        continue
      }
      last = commitAfter(last, 'A')
      await deliver(out, batches, last)
    }
  }

  async function ours(): Promise<readonly (ReadRecord & { readonly partition: number })[]> {
    const both = await Promise.all([0, 1].map((partition) => readAll(log(), at(partition))))
    return both.flatMap((read, partition) => read.map((each) => ({ ...each, partition })))
  }

  it('by our reader: the slices that were committed, in their order', async () => {
    await written(ALL_CODECS)
    const read = await ours()
    const wanted = [0, 2, 3, 5].flatMap((slice) => records(slice).map(({ value }) => value))
    expect(read.filter(({ partition }) => partition === 1).map(({ value }) => value)).toEqual(wanted)
    expect(read).toHaveLength(3 * wanted.length)
  })

  it.skipIf(javaMissing)('by the Java client: to the byte, header and offset', { timeout: 60_000 }, async () => {
    await written(ALL_CODECS)
    const wanted = (await ours()).map(({ partition, offset, timestamp, key, value, headers }) => ({
      topic: name('out'),
      partition,
      offset,
      timestamp,
      key: hex(key),
      value: hex(value),
      headers: headers.map(([name, bytes]) => [hex(name), bytes && Buffer.from(bytes).toString('hex')]),
    }))
    expect(javaReads(bootstrap, [name('out')])).toEqual(wanted)
  })

  it("by kafkajs' consumer, in the codec that it has: keys, values, times and offsets", async () => {
    await written(['none', 'gzip', 'gzip', 'none', 'gzip', 'gzip'])
    const wanted = (await ours()).map(({ partition, offset, timestamp, key, value }) => {
      return { partition, offset: String(offset), timestamp: String(timestamp), key: hex(key), value: hex(value) }
    })
    const read = await kafkajsReads(bootstrap, name('out'), wanted.length)
    expect(
      read.map(({ partition, message: { offset, timestamp, key, value } }) => {
        return {
          partition,
          offset,
          timestamp,
          key: key?.toString('hex') ?? null,
          value: value?.toString('hex') ?? null,
        }
      }),
    ).toEqual(wanted)
  })
})
