import { ftruncateSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TopicPartition } from '../../src/core/offsets.ts'
import { splitBatches } from '../../src/wire/batch-split.ts'
import { record, singles } from '../contract/log/records.ts'
import type { Cluster } from './broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { makeTopic, openLog, rest } from './support/logs.ts'

const kafka = kafkaBroker()
const KEYS = 'abcdefgh'

describe.skipIf(kafka.ownMissing)('one broker that fails', { timeout: BROKER_TIMEOUT_MS }, () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await kafka.cluster()
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))

  /** A topic with eight records, and a reader of them that has given the first. */
  async function begun(query = '') {
    const log = openLog(cluster.bootstrap, query)
    const at = (await makeTopic(log, 'faulty'))()
    await log.admin().append(
      singles(
        at,
        [...KEYS].map((key) => record(key)),
      ),
    )
    const range = { ...at, from: 0, to: KEYS.length }
    const reader = log.reader([range], { isolation: 'read_committed', bufferBytes: 1 })
    expect(await reader.next(0)).toMatchObject({ nextOffset: 1 })
    return { log, at, range, reader }
  }

  it('a restart in the middle of a range is waited for, and nothing is lost or read twice', async () => {
    const { range, reader } = await begun()
    const [node] = cluster.nodes
    await node?.stop('SIGKILL')
    const left = rest(reader, 0, range)
    await cluster.restart()
    expect(await left).toEqual([...KEYS].map((key, offset) => `${offset}${key}=1`).slice(1))
    await reader.close()
  })

  it('one that stays away is reported when the bound on retries is reached', async () => {
    const { log, at, range, reader } = await begun('&retry-for=500ms')
    const other = log.reader([range], { isolation: 'read_committed' })
    await cluster.stop('SIGKILL')
    for (const attempt of [
      () => reader.next(0),
      () => other.next(0),
      () => log.bounds([at], 'read_committed'),
      () => log.describe(),
      () => log.clusterId(),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'LOG_UNREACHABLE', exit: 69, hint: expect.any(String) })
    }
    await expect(reader.next(0)).rejects.toMatchObject({ code: 'LOG_UNREACHABLE', at: { ...at, offset: 1 } })
    await reader.close()
    await other.close()
    await cluster.restart()
  })

  it('one that stands still is given up after the time of a request, and a log on it can be closed', async () => {
    const { log, reader } = await begun('&retry-for=500ms&request-timeout=300ms&connect-timeout=300ms')
    const [node] = cluster.nodes
    node?.signal('SIGSTOP')
    await expect(reader.next(0)).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' })
    const pending = log.clusterId().catch((error: Error) => error.message)
    await log.close()
    expect(await pending).toBe('the log is closed')
    node?.signal('SIGCONT')
    await cluster.answers()
  })

  it('a log that has lost its end is said to be truncated, also where it has grown again', async () => {
    const { log, at, range, reader } = await begun()
    const second = log.reader([range], { isolation: 'read_committed', bufferBytes: 1 })
    for (let taken = 0; taken < 6; taken++) await second.next(0)
    await cluster.stop('SIGKILL')
    cutLog(cluster, at, 4)
    await cluster.restart()
    await expect(rest(reader, 0, range)).rejects.toMatchObject({ code: 'INPUT_LOST', at: { ...at, offset: 4 } })
    await log.admin().append(
      singles(
        at,
        ['x', 'x', 'x', 'x', 'x'].map((key) => record(key)),
      ),
    )
    const failure = await second.next(0).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'INPUT_LOST', at: { ...at, offset: 4 } })
    expect(String(failure)).toContain('2 offsets that were read are lost')
    await reader.close()
    await second.close()
  })
})

describe.skipIf(kafka.ownMissing)('three brokers of which one fails', { timeout: BROKER_TIMEOUT_MS }, () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await kafka.cluster({ nodes: 3 })
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))

  it('the new leaders are found, from wherever a reader stands', async () => {
    const log = openLog(cluster.bootstrap)
    const at = await makeTopic(log, 'moving', 6)
    const ranges = Array.from({ length: 6 }, (_, partition) => ({ ...at(partition), from: 0, to: KEYS.length }))
    for (const range of ranges) {
      await log.admin().append(
        singles(
          range,
          [...KEYS].map((key) => record(key)),
        ),
      )
    }
    const readers = [1, 1_000_000].map((bufferBytes) =>
      log.reader(ranges, { isolation: 'read_committed', bufferBytes }),
    )
    for (const reader of readers) for (const index of ranges.keys()) await reader.next(index)
    await cluster.nodes[1]?.stop('SIGKILL')
    const all = [...KEYS].map((key, offset) => `${offset}${key}=1`)
    for (const [index, range] of ranges.entries()) {
      expect(await rest(readers[0] as (typeof readers)[0], index, range)).toEqual(all.slice(1))
    }
    const late = log.reader(ranges, { isolation: 'read_committed' })
    for (const [index, range] of ranges.entries()) expect(await rest(late, index, range)).toEqual(all)
    expect((await log.bounds(ranges, 'read_committed')).map(({ end }) => end)).toEqual(ranges.map(() => KEYS.length))
    for (const reader of [...readers, late]) await reader.close()
  })
})

/** Cuts the file of a partition behind its first batches, as if the rest had never reached the disk. */
function cutLog(cluster: Cluster, { topic, partition }: TopicPartition, batches: number): void {
  const folder = join(cluster.nodes[0]?.folder ?? '', 'data', `${topic}-${partition}`)
  const file = readdirSync(folder).find((name) => name.endsWith('.log')) ?? ''
  const header = splitBatches(readFileSync(join(folder, file))).headers[batches]
  ftruncateSync(openSync(join(folder, file), 'r+'), header?.position ?? 0)
}
