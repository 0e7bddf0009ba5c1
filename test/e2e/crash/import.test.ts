import { mkdtempSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { json, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { type Started, startIn, workplace } from '../helpers/tidemark.ts'
import { Chance } from './chance.ts'
import { KILLS, SEED } from './kills.ts'
import { purchases } from './purchases.ts'

const ROWS = 20_000
const IMPORT = ['log', 'import', 'purchases', '../purchases.jsonl', '--key', 'customer', '--timestamp', 'at']

describe('an import that is killed', () => {
  const place = workplace()
  let wanted: string
  /** Of an import that is left alone. */
  let took: { readonly ms: number; readonly walBytes: number }

  beforeAll(async () => {
    place.file('purchases.jsonl', purchases(ROWS))
    const folder = await newFolder()
    const started = performance.now()
    let walBytes = 0
    const importing = startIn(folder, IMPORT)
    await walReaches(folder, importing, (bytes) => {
      walBytes = Math.max(walBytes, bytes)
      return false
    })
    expect(await importing.ended).toMatchObject({ status: 0 })
    took = { ms: performance.now() - started, walBytes }
    wanted = await imported(folder)
    expect(await countOf(folder)).toBe(ROWS)
    expect(walBytes).toBeGreaterThan(1_000_000)
  }, 120_000)

  it('has imported all or nothing, and can be repeated', { timeout: 60_000 + KILLS * 30_000 }, async () => {
    const chance = new Chance(SEED)
    let inTime = 0
    let folder = await newFolder()
    for (let kill = 0; inTime < KILLS; kill++) {
      const writing = kill % 2 === 0
      const importing = startIn(folder, [...IMPORT, '--if-empty'])
      if (writing) {
        const bytes = chance.next() * took.walBytes
        await walReaches(folder, importing, (written) => written >= bytes)
      } else {
        await setTimeout(chance.next() * took.ms)
      }
      importing.child.kill('SIGKILL')
      await importing.ended
      const count = await countOf(folder)
      expect([0, ROWS]).toContain(count)
      if (count === 0) inTime++
      else folder = await newFolder()
    }
    expect(await startIn(folder, [...IMPORT, '--if-empty']).ended).toMatchObject({ status: 0 })
    expect((await imported(folder)) === wanted).toBe(true)
  })

  /** A folder with a log in it. */
  async function newFolder(): Promise<string> {
    const folder = mkdtempSync(join(place.path, 'import-'))
    expect(await startIn(folder, ['log', 'create', 'other']).ended).toMatchObject({ status: 0 })
    return folder
  }
})

/** All records of the topic, as text. */
async function imported(folder: string): Promise<string> {
  const purchases = topic('purchases', { key: string(), value: json({ bigints: true }) })
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return await withLog(folder, async (log) => JSON.stringify(await readTopic(log, purchases, new Map()), text))
}

/** The number of records of the topic, 0 where it is not there. */
async function countOf(folder: string): Promise<number> {
  return await withLog(folder, async (log) => {
    const [found] = await log.describe(['purchases'])
    if (found === undefined) return 0
    const [bounds] = await log.bounds([{ topic: 'purchases', partition: 0 }], 'read_uncommitted')
    return bounds?.highWatermark ?? 0
  })
}

async function withLog<T>(folder: string, look: (log: SqliteLog) => Promise<T>): Promise<T> {
  const log = SqliteLog.open(join(folder, '.tidemark', 'log.db'))
  try {
    return await look(log)
  } finally {
    await log.close()
  }
}

/** Waits until the log's write-ahead file has as many bytes as `enough` asks for, or the process has ended. */
async function walReaches(folder: string, { ended }: Started, enough: (bytes: number) => boolean): Promise<void> {
  const path = join(folder, '.tidemark', 'log.db-wal')
  const watcher = watch(join(folder, '.tidemark'))
  try {
    await new Promise<void>((resolve, reject) => {
      watcher.on('error', reject).on('change', () => {
        if (enough(statSync(path, { throwIfNoEntry: false })?.size ?? 0)) resolve()
      })
      ended.then(() => resolve(), reject)
    })
  } finally {
    watcher.close()
  }
}
