import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { batchOf, readAll, record, singles } from '../../contract/log/records.ts'
import { commitAfter, deliver } from '../../contract/outside/commits.ts'
import { TempLog } from './temp-log.ts'

const at = { topic: 't', partition: 0 }
const kilobytes = (count: number) => Array.from({ length: count }, (_, i) => record(`k${i}`, 'x'.repeat(1000)))

describe('the file of the embedded log', () => {
  it('is made with the first topic, and by nothing else', async () => {
    using temp = new TempLog()
    const log = temp.open()
    const attempts = [
      () => log.clusterId(),
      () => log.describe(),
      () => log.bounds([], 'read_committed'),
      async () => log.reader([], { isolation: 'read_committed' }),
      () => log.admin().append([batchOf(at, [record('a')])]),
      async () => (await log.outside('job', 'live')).read(),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'LOG_UNREACHABLE',
        message: expect.stringContaining(temp.path),
      })
    }
    await expect(log.admin().create({ name: '/', partitions: 1 })).rejects.toMatchObject({ code: 'USAGE' })
    expect(existsSync(temp.path)).toBe(false)
    await log.admin().create({ name: 't', partitions: 1 })
    expect(existsSync(temp.path)).toBe(true)
    expect(await log.describe(['t'])).toHaveLength(1)
  })

  it('is another cluster when it is another file, and the same when it is copied', async () => {
    using temp = new TempLog()
    using other = new TempLog()
    const log = temp.open()
    await log.admin().create({ name: 't', partitions: 1 })
    await other.open().admin().create({ name: 't', partitions: 1 })
    const id = await log.clusterId()
    expect(await other.open().clusterId()).not.toBe(id)
    await log.close()
    using copy = new TempLog()
    copyFileSync(temp.path, copy.path)
    expect(await copy.open().clusterId()).toBe(id)
  })

  it('is refused, and left as it is, when it is damaged or something else (D7)', async () => {
    using temp = new TempLog()
    const log = temp.open()
    await log.admin().create({ name: 't', partitions: 1 })
    await log.admin().append(singles(at, kilobytes(50)))
    await log.close()
    truncateSync(temp.path, readFileSync(temp.path).length >> 1)
    const damaged = readFileSync(temp.path)
    await expect(temp.open().describe()).rejects.toMatchObject({ code: 'STATE_DAMAGED' })
    expect(readFileSync(temp.path).equals(damaged)).toBe(true)
    writeFileSync(temp.path, 'a text that is long enough to be taken for a file of SQLite'.repeat(100))
    await expect(temp.open().admin().create({ name: 't', partitions: 1 })).rejects.toMatchObject({
      code: 'STATE_DAMAGED',
    })
  })

  it('names the place of a batch whose bytes are not its own', async () => {
    using temp = new TempLog()
    const log = temp.open()
    await log.admin().create({ name: 't', partitions: 1, settings: { 'cleanup.policy': 'compact' } })
    await log.admin().append(singles(at, [record('a'), record('b'), record('c')]))
    const corrupt = { code: 'RECORD_BATCH_CORRUPT', at: { ...at, offset: 1 } }
    for (const damage of [
      'UPDATE batch_bytes SET bytes = (SELECT bytes FROM batch_bytes WHERE number = 3) WHERE number = 2',
      'UPDATE batch_bytes SET bytes = substr(bytes, 1, 30) WHERE number = 2',
      'DELETE FROM batch_bytes WHERE number = 2',
    ]) {
      temp.raw().exec(damage)
      await expect(readAll(log, at)).rejects.toMatchObject(corrupt)
      await expect(log.admin().compact('t')).rejects.toMatchObject(corrupt)
    }
  })

  it('keeps nothing of deleted topics and of what was trimmed', async () => {
    using temp = new TempLog()
    const log = temp.open()
    for (const name of ['t', 'u']) await log.admin().create({ name, partitions: 2 })
    const other = { topic: 'u', partition: 1 }
    await log.admin().append([...singles(at, kilobytes(20)), ...singles(other, kilobytes(7))])
    await log.admin().append([batchOf(at, kilobytes(5))])
    await log.admin().trim(at, 22)
    expect(temp.count('batches')).toBe(7 + 1)
    expect(temp.count('batch_bytes')).toBe(7 + 1)
    await log.admin().delete('t')
    expect(temp.count('batches')).toBe(7)
    expect(temp.count('batch_bytes')).toBe(7)
    expect(temp.count('partitions')).toBe(2)
    expect(await readAll(log, other)).toHaveLength(7)
  })

  it('removes with the next removal what a crash left behind', async () => {
    using temp = new TempLog()
    const log = temp.open()
    for (const name of ['t', 'u']) await log.admin().create({ name, partitions: 1 })
    await log.admin().append([...singles(at, kilobytes(20)), ...singles({ topic: 'u', partition: 0 }, kilobytes(7))])
    temp.raw().exec(`UPDATE partitions SET topic = NULL WHERE topic = (SELECT number FROM topics WHERE name = 't');
      DELETE FROM topics WHERE name = 't'`)
    await log.admin().create({ name: 't', partitions: 1 })
    expect(await readAll(log, at)).toEqual([])
    await log.admin().trim({ topic: 'u', partition: 0 }, 2)
    expect(temp.count('batches')).toBe(5)
    expect(temp.count('batch_bytes')).toBe(5)
    expect(temp.count('partitions')).toBe(2)
  })

  it('holds nothing fast between two chunks of a reader, so the WAL can be emptied (D8)', async () => {
    using temp = new TempLog()
    const log = temp.open()
    await log.admin().create({ name: 't', partitions: 1 })
    await log.admin().append(singles(at, kilobytes(50)))
    const reader = log.reader([{ ...at, from: 0, to: 50 }], { isolation: 'read_committed', bufferBytes: 1 })
    const raw = temp.raw()
    for (let chunk = await reader.next(0); chunk !== undefined; chunk = await reader.next(0)) {
      await temp
        .open()
        .admin()
        .append([batchOf(at, kilobytes(1))])
      expect(raw.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
    }
    await reader.close()
  })
})

describe('another process that writes (D5)', () => {
  it('is waited for a bounded time; then nothing has changed, and it can be tried again', async () => {
    using temp = new TempLog()
    const log = temp.open({ busyTimeoutMs: 20 })
    await log.admin().create({ name: 't', partitions: 1 })
    await log.admin().append([batchOf(at, [record('a')])])
    const outside = await log.outside('job', 'live')
    const commit = commitAfter(null, 'A')
    const raw = temp.raw()
    raw.exec('BEGIN IMMEDIATE')
    const busy = { code: 'STATE_BUSY', retryable: true, message: expect.stringContaining(temp.path) }
    await expect(log.admin().append([batchOf(at, [record('b')])])).rejects.toMatchObject(busy)
    await expect(deliver(outside, [batchOf(at, [record('c')])], commit)).rejects.toMatchObject(busy)
    await expect(outside.claim(commit.delivery, 0, false)).rejects.toMatchObject(busy)
    await expect(log.admin().delete('t')).rejects.toMatchObject(busy)
    // Those who only read are not disturbed.
    expect((await readAll(log, at)).map(({ key }) => key)).toEqual(['a'])
    expect(await outside.read()).toBeUndefined()
    raw.exec('ROLLBACK')
    await outside.commit(commit)
    expect((await readAll(log, at)).map(({ key }) => key)).toEqual(['a', 'c'])
  })
})

describe('a full disk (D6)', () => {
  it('is named, and the log is as it was', async () => {
    using temp = new TempLog()
    const log = temp.open({ maxFileBytes: 300_000 })
    await log.admin().create({ name: 't', partitions: 1 })
    const outside = await log.outside('job', 'live')
    const first = commitAfter(null, 'A')
    await deliver(outside, singles(at, kilobytes(50)), first)
    const before = await readAll(log, at)
    const second = commitAfter(first, 'A', { endsRun: true })
    const full = { code: 'DISK_FULL', message: expect.stringContaining(temp.path) }
    await expect(log.admin().append(singles(at, kilobytes(500)))).rejects.toMatchObject(full)
    await expect(deliver(outside, singles(at, kilobytes(500)), second)).rejects.toMatchObject(full)
    expect(await readAll(log, at)).toEqual(before)
    expect((await outside.read())?.token).toEqual(first.token)
    expect(await outside.cuts()).toEqual([])
    expect(temp.raw().pragma('integrity_check', { simple: true })).toBe('ok')
    // With space, the same delivery goes through.
    const roomy = await temp.open().outside('job', 'live')
    await deliver(roomy, singles(at, kilobytes(500)), second)
    expect(await readAll(log, at)).toHaveLength(550)
    await log.admin().append([batchOf(at, [record('small')])])
  })
})
