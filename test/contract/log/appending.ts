import { expect, it } from 'vitest'
import { AT, ATTRIBUTE } from '../../../src/wire/batch-layout.ts'
import { stampChecksum } from '../../../src/wire/stamp.ts'
import type { LogTest } from './log-contract.ts'
import { batchOf, readAll, readRange, record, shown, singles } from './records.ts'

export function appendingContract({ log, name, open }: LogTest): void {
  const flights = (partition: number) => ({ topic: name('flights'), partition })
  const create = (settings?: Record<string, string>) =>
    log()
      .admin()
      .create({ name: name('flights'), partitions: 2, ...(settings && { settings }) })
  const ends = async () => {
    const bounds = await log().bounds([flights(0), flights(1)], 'read_committed')
    return bounds.map(({ end }) => end)
  }

  it('assigns offsets in the order of each partition, over all appends', async () => {
    await create()
    const admin = log().admin()
    await admin.append([
      batchOf(flights(0), [record('a'), record('b')]),
      batchOf(flights(1), [record('x')]),
      batchOf(flights(0), [record('c')]),
    ])
    await (await open()).admin().append([batchOf(flights(0), [record('d', '2', 2000)])])
    expect((await readAll(log(), flights(0))).map(shown)).toEqual([
      '0 a=1 @1000',
      '1 b=1 @1000',
      '2 c=1 @1000',
      '3 d=2 @2000',
    ])
    expect((await readAll(log(), flights(1))).map(shown)).toEqual(['0 x=1 @1000'])
    expect(await ends()).toEqual([4, 1])
  })

  it('leaves the bytes of the sender alone, and does not keep them', async () => {
    await create()
    const batch = batchOf(flights(0), [record('a', 'value')])
    const before = Buffer.from(batch.bytes)
    await log().admin().append([batch, batch])
    expect(Buffer.from(batch.bytes).equals(before)).toBe(true)
    batch.bytes.fill(0)
    expect((await readAll(log(), flights(0))).map(shown)).toEqual(['0 a=value @1000', '1 a=value @1000'])
  })

  it('takes batches one after the other, and appends nothing when taking one throws', async () => {
    await create()
    function* batches() {
      yield batchOf(flights(0), [record('a')])
      yield batchOf(flights(1), [record('b')])
      throw new RangeError('row 3')
    }
    await expect(log().admin().append(batches())).rejects.toThrow(new RangeError('row 3'))
    expect(await ends()).toEqual([0, 0])
    await log().admin().append([])
    await log()
      .admin()
      .append(new Set([batchOf(flights(0), [record('a')])]))
    expect(await ends()).toEqual([1, 0])
  })

  it('refuses a topic or partition that does not exist, and appends nothing then', async () => {
    await create()
    const good = batchOf(flights(0), [record('a')])
    for (const at of [flights(2), { topic: name('missing'), partition: 0 }]) {
      const refused = log()
        .admin()
        .append([good, batchOf(at, [record('a')]), good])
      await expect(refused).rejects.toMatchObject({ code: 'OUTPUT_REFUSED', at: { topic: at.topic } })
    }
    expect(await ends()).toEqual([0, 0])
    expect(await log().describe([name('missing')])).toEqual([])
  })

  it('refuses a record over max.message.bytes, naming topic, partition, key and size', async () => {
    await create({ 'max.message.bytes': '1000' })
    const large = batchOf(flights(1), [record('small'), record('big-key', 'x'.repeat(1000)), record('small')])
    const failure = await log()
      .admin()
      .append([batchOf(flights(0), [record('a')]), large])
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', at: { topic: name('flights'), partition: 1 } })
    expect(failure.message).toMatch(/big-key/)
    expect(failure.message).toMatch(/1\d\d\d/)
    expect(await ends()).toEqual([0, 0])
    const alone = batchOf(flights(1), [record(null, 'x'.repeat(1000))])
    await expect(log().admin().append([alone])).rejects.toMatchObject({ code: 'OUTPUT_REFUSED' })
  })

  it('takes many small records whose batch is over max.message.bytes, as a producer that splits it', async () => {
    await create({ 'max.message.bytes': '1000' })
    const records = Array.from({ length: 50 }, (_, i) => record(`key ${i}`, 'x'.repeat(50)))
    await log()
      .admin()
      .append([batchOf(flights(0), records)])
    expect((await readAll(log(), flights(0))).map(({ key }) => key)).toEqual(records.map(({ key }) => key))
  })

  it('refuses a record without key in a compacted topic', async () => {
    await create({ 'cleanup.policy': 'compact' })
    const refused = log()
      .admin()
      .append([batchOf(flights(0), [record('a'), record(null)])])
    await expect(refused).rejects.toMatchObject({ code: 'OUTPUT_REFUSED', at: { topic: name('flights') } })
    expect(await ends()).toEqual([0, 0])
    await log()
      .admin()
      .append([batchOf(flights(0), [record(''), record('a', null)])])
    expect((await readAll(log(), flights(0))).map(shown)).toEqual(['0 =1 @1000', '1 a=∅ @1000'])
  })

  it('refuses damaged bytes, and markers', async () => {
    await create()
    const marker = batchOf(flights(0), [record('a')])
    const bytes = Buffer.from(marker.bytes)
    bytes.writeUInt16BE(ATTRIBUTE.control, AT.attributes)
    stampChecksum(bytes)
    await expect(
      log()
        .admin()
        .append([{ ...marker, bytes }]),
    ).rejects.toMatchObject({ code: 'RECORD_BATCH_CORRUPT' })
    const batch = batchOf(flights(0), [record('a', 'value')])
    const last = batch.bytes.length - 2
    batch.bytes[last] = (batch.bytes[last] ?? 0) ^ 0xff
    await expect(log().admin().append([batch])).rejects.toMatchObject({ code: 'RECORD_BATCH_CORRUPT' })
    expect(await ends()).toEqual([0, 0])
  })

  it('keeps binary keys, values and headers to the byte (F2, F4)', async () => {
    await create()
    const headers = [
      ['h', Buffer.from('1')],
      ['x', null],
      ['h', Buffer.from('2')],
      ['bin', Buffer.from('00ff80', 'hex')],
      ['constructor', Buffer.from('c')],
      ['10', Buffer.from('a')],
      ['9', Buffer.from('b')],
    ] as const
    const keys = ['\x80', '\xff', '\0\0\0\0\0\0\0\x84', '', null, '__proto__', 'constructor']
    const records = keys.map((key, i) => record(key, `\0\xff${i}`, i, headers))
    records.push(record('a', null), record('a', ''))
    await log()
      .admin()
      .append([batchOf(flights(0), records)])
    const read = await readAll(log(), flights(0))
    expect(read.map(({ key, value, timestamp }) => ({ key, value, timestamp }))).toEqual(
      records.map(({ key, value, timestamp }) => ({ key, value, timestamp })),
    )
    expect(read[0]?.headers).toEqual(headers)
  })

  it('keeps batches of every codec', async () => {
    await create()
    for (const codec of ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const) {
      await log()
        .admin()
        .append([batchOf(flights(0), [record(codec), record(codec, 'x'.repeat(500))], codec)])
    }
    const keys = (await readAll(log(), flights(0))).map(({ offset, key }) => `${offset} ${key}`)
    expect(keys).toHaveLength(10)
    expect(keys.slice(0, 4)).toEqual(['0 none', '1 none', '2 gzip', '3 gzip'])
    expect(keys.at(-1)).toBe('9 zstd')
  })

  it('gives progress with a huge record and a small buffer (F6)', async () => {
    await create({ 'max.message.bytes': String(16 * 1024 * 1024) })
    const records = [record('a', 'x'.repeat(1024)), record('b', 'y'.repeat(8 * 1024 * 1024)), record('c', 'z')]
    await log()
      .admin()
      .append(singles(flights(0), records))
    const range = { ...flights(0), from: 0, to: 3 }
    const read = await readRange(log(), range, { bufferBytes: 1024 * 1024 })
    expect(read.map(({ offset, key, value }) => [offset, key, value?.length])).toEqual([
      [0, 'a', 1024],
      [1, 'b', 8 * 1024 * 1024],
      [2, 'c', 1],
    ])
  })

  it('keeps negative and far timestamps out of its own arithmetic (B3, B9)', async () => {
    await create()
    const far = 1_700_000_000_000_000
    await log()
      .admin()
      .append(singles(flights(0), [record('a', '1', 1000), record('b', '1', far), record('c', '1', -1)]))
    expect((await readAll(log(), flights(0))).map(({ timestamp }) => timestamp)).toEqual([1000, far, -1])
  })
}
