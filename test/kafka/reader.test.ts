import { beforeAll, describe, expect, it } from 'vitest'
import { Brokers } from '../../src/adapters/kafka/connection/brokers.ts'
import type { ApiRequest } from '../../src/adapters/kafka/protocol/request.ts'
import { KafkaLogReader } from '../../src/adapters/kafka/reader/log-reader.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { Chunk } from '../../src/ports/log.ts'
import { splitBatches } from '../../src/wire/batch-split.ts'
import { batchOf, record, recordsOf, singles } from '../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { comesTrue } from './support/comes-true.ts'
import { makeTopic, openLog, rest, unique, wholeRanges } from './support/logs.ts'
import { testSettings } from './support/settings.ts'

const kafka = kafkaBroker()

/** Brokers that tell how many requests went to partition leaders, and when none is under way. */
class WatchedBrokers extends Brokers {
  requests: string[] = []
  bytes = 0
  #underWay = 0

  override async node<T>(nodeId: number, request: ApiRequest<T>): Promise<T> {
    this.requests.push(request.name)
    this.#underWay++
    try {
      const answer = await super.node(nodeId, request)
      if (request.name === 'Fetch') this.bytes += bytesOf(answer as { partitions: { records: Buffer }[] })
      return answer
    } finally {
      this.#underWay--
    }
  }

  /** Resolves when nothing is under way and nothing follows by itself. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 3; turns = this.#underWay === 0 ? turns + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Of whole batches: brokers cut the last one where the limit is. */
function bytesOf({ partitions }: { partitions: { records: Buffer }[] }): number {
  return partitions.reduce((sum, { records }) => sum + records.length - splitBatches(records).cutBytes, 0)
}

describe.skipIf(kafka.missing)('the reader', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('reads many partitions of several topics, each at its own pace', async () => {
    const log = openLog(bootstrap)
    const [one, two] = [await makeTopic(log, 'one', 3), await makeTopic(log, 'two', 2)]
    const partitions = [two(1), one(0), one(2), two(0), one(1)]
    const keys = 'abcdefghij'
    for (const at of partitions) {
      const records = [...keys].map((key) => record(key, `${at.topic}/${at.partition}`))
      await log.admin().append([batchOf(at, records.slice(0, 4), 'zstd'), ...singles(at, records.slice(4))])
    }
    const ranges = await wholeRanges(log, partitions)
    for (const bufferBytes of [1, 200_000]) {
      const reader = log.reader(ranges, { isolation: 'read_committed', bufferBytes })
      const first = [await reader.next(3), await reader.next(0)]
      expect(first.map((chunk) => chunk?.batches.length)).toEqual(first.map(() => expect.any(Number)))
      const left = await Promise.all(ranges.map((range, index) => rest(reader, index, range)))
      for (const [index, at] of partitions.entries()) {
        const value = `${at.topic}/${at.partition}`
        const all = [...keys].map((key, offset) => `${offset}${key}=${value}`)
        const taken = { 3: first[0], 0: first[1] }[index]
        const head =
          taken === undefined ? [] : recordsOf([taken], 0, 10).map(({ offset, key }) => `${offset}${key}=${value}`)
        expect([...head, ...(left[index] ?? [])]).toEqual(all)
      }
      await reader.close()
    }
  })

  it('asks nothing before the first chunk is wanted, nor for what is read already', async () => {
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'lazy', 2)
    await log.admin().append(singles(at(), [record('a')]))
    const brokers = new WatchedBrokers(testSettings(bootstrap), systemClock)
    const ranges = [
      { ...at(0), from: 0, to: 1 },
      { ...at(1), from: 0, to: 0 },
    ]
    const reader = new KafkaLogReader(brokers, ranges, { isolation: 'read_committed' })
    await brokers.quiet()
    expect(await reader.next(1)).toBeUndefined()
    expect(brokers.requests).toEqual([])
    expect(await reader.next(0)).toMatchObject({ nextOffset: 1 })
    expect(await reader.next(0)).toBeUndefined()
    expect(brokers.requests).toEqual(['Fetch'])
    await reader.close()
    await brokers.close()
  })

  it('fetches before anything is taken where it is to begin at once', async () => {
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'eager', 1)
    await log.admin().append(singles(at(), [record('a')]))
    const brokers = new WatchedBrokers(testSettings(bootstrap), systemClock)
    const reader = new KafkaLogReader(brokers, [{ ...at(), from: 0, to: 1 }], {
      isolation: 'read_committed',
      atOnce: true,
    })
    await comesTrue('a fetch', async () => brokers.requests.includes('Fetch'))
    await brokers.quiet()
    expect(await reader.next(0)).toMatchObject({ nextOffset: 1 })
    expect(brokers.requests).toEqual(['Fetch'])
    await reader.close()
    await brokers.close()
  })

  it('reads ahead as far as the buffer goes, and no further until the caller takes', async () => {
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'ahead', 4)
    const value = 'x'.repeat(50_000)
    const partitions = [0, 1, 2, 3].map(at)
    for (const partition of partitions) {
      await log.admin().append(
        singles(
          partition,
          Array.from({ length: 20 }, () => record('k', value)),
        ),
      )
    }
    const batchBytes = batchOf(at(), [record('k', value)]).bytes.length
    const bufferBytes = 600_000
    const brokers = new WatchedBrokers(testSettings(bootstrap), systemClock)
    const reader = new KafkaLogReader(brokers, await wholeRanges(log, partitions), {
      isolation: 'read_committed',
      bufferBytes,
    })
    let taken = size(await reader.next(0))
    await brokers.quiet()
    let fetches = 0
    for (let chunk: Chunk | undefined; taken < 60 * batchBytes; taken += size(chunk)) {
      expect(brokers.bytes - taken).toBeLessThanOrEqual(bufferBytes + batchBytes)
      expect(brokers.bytes - taken).toBeGreaterThan(0)
      chunk = await reader.next(++fetches % 4)
      await brokers.quiet()
    }
    await reader.close()
    await brokers.close()
  })

  it('keeps of an answer for several partitions what is not taken yet, not the whole of it', async () => {
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'parts', 4)
    const partitions = [0, 1, 2, 3].map(at)
    for (const partition of partitions) {
      await log.admin().append(singles(partition, [record('k', 'x'.repeat(20_000))]))
    }
    const brokers = new WatchedBrokers(testSettings(bootstrap), systemClock)
    const reader = new KafkaLogReader(brokers, await wholeRanges(log, partitions), { isolation: 'read_committed' })
    for (const index of partitions.keys()) {
      const [batch] = (await reader.next(index))?.batches ?? []
      expect(batch?.buffer.byteLength).toBe(batch?.length)
    }
    expect(brokers.requests).toEqual(['Fetch'])
    await reader.close()
    await brokers.close()
  })

  it('a reader that is closed gives nothing more, whatever is under way', async () => {
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'closed')
    await log.admin().append(singles(at(), [record('a'), record('b')]))
    const reader = log.reader([{ ...at(), from: 0, to: 2 }], { isolation: 'read_committed', bufferBytes: 1 })
    const pending = reader.next(0)
    await reader.close()
    await reader.close()
    await expect(pending).rejects.toThrow('the reader is closed')
    await expect(reader.next(0)).rejects.toThrow('the reader is closed')
  })

  it('a damaged or missing partition does not hold up the others', async () => {
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'good')
    await log.admin().append(singles(at(), [record('a')]))
    const missing = { topic: unique('missing'), partition: 0, from: 0, to: 1 }
    const short = { ...at(), from: 0, to: 5 }
    const ranges = [missing, short, { ...at(), from: 0, to: 1 }, { ...at(), partition: 7, from: 0, to: 1 }]
    const reader = log.reader(ranges, { isolation: 'read_committed' })
    const failures = [0, 1, 3].map((index) =>
      rest(reader, index, ranges[index] as (typeof ranges)[0]).catch((error: unknown) => error),
    )
    expect(await rest(reader, 2, { ...at(), from: 0, to: 1 })).toEqual(['0a=1'])
    expect(await Promise.all(failures)).toMatchObject([
      { code: 'INPUT_MISSING', at: { topic: missing.topic } },
      { code: 'INPUT_LOST', at: { ...at(), offset: 1 } },
      { code: 'INPUT_MISSING', at: { ...at(), partition: 7 } },
    ])
    await reader.close()
  })

  it('does not believe that a fetch without a batch is the end, and asks once more', async () => {
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'silent')
    await log.admin().append(singles(at(), [record('a'), record('b'), record('c')]))
    const brokers = new WatchedBrokers(testSettings(bootstrap), systemClock)
    const ask = brokers.node.bind(brokers)
    let silent = 0
    brokers.node = async <T>(nodeId: number, request: ApiRequest<T>) => {
      const answer = await ask(nodeId, request)
      if (request.name !== 'Fetch' || silent >= 2) return answer
      silent++
      const fetched = answer as { partitions: { records: Buffer; highWatermark: number }[] }
      const partitions = fetched.partitions.map((each) => ({ ...each, records: Buffer.alloc(0), lastStableOffset: 1 }))
      return { ...fetched, partitions } as T
    }
    const reader = new KafkaLogReader(brokers, [{ ...at(), from: 0, to: 3 }], { isolation: 'read_committed' })
    expect(await rest(reader, 0, { ...at(), from: 0, to: 3 })).toEqual(['0a=1', '1b=1', '2c=1'])
    expect(brokers.requests).toEqual([
      'Fetch',
      'ListOffsets',
      'ListOffsets',
      'Fetch',
      'ListOffsets',
      'ListOffsets',
      'Fetch',
    ])
    await reader.close()
    await brokers.close()
  })
})

function size(chunk: Chunk | undefined): number {
  return chunk?.batches.reduce((sum, batch) => sum + batch.length, 0) ?? 0
}
