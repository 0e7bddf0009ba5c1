import { bytes, int64, job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { fromByteString, toByteString } from '../../src/core/bytes.ts'
import { decodeKey, encodeKey } from '../../src/serde/serde.ts'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'
import { Field } from './support/field.ts'

const KEYS = ['80', 'ff', '0000000000000084', '']

describe('F2: binary keys in serdes', () => {
  it('stay the bytes they are', () => {
    const read = KEYS.map((hex) => decodeKey(bytes(), Buffer.from(hex, 'hex').latin1Slice()))
    const written = read.map((key) => encodeKey(bytes(), key))
    expect(written.map((key) => fromByteString(key).toString('hex'))).toEqual(KEYS)
    expect(new Set(written).size).toBe(4)
  })

  it('are refused as text where they are none, and never replaced', () => {
    for (const hex of ['80', 'ff', '0000000000000084']) {
      const key = Buffer.from(hex, 'hex').latin1Slice()
      expect(() => decodeKey(string(), key), hex).toThrowError(expect.objectContaining({ code: 'BAD_DATA' }))
    }
    expect(decodeKey(string(), '')).toBe('')
  })

  it('are integers where they are meant so', () => {
    const key = Buffer.from('0000000000000084', 'hex').latin1Slice()
    expect(decodeKey(int64(), key)).toBe(132n)
    expect(encodeKey(int64(), 132n)).toBe(key)
  })
})

describe.each(BACKENDS)('F2: keys are bytes in the state (%s)', (_, make) => {
  it('and none is another one', () => {
    const { directory, dispose } = make()
    const file = directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    for (const hex of KEYS) {
      const key = toByteString(Buffer.from(hex, 'hex'))
      table.put(row(key, String(Number(valueAt(table, key) ?? 0) + 1)))
    }
    file.commit(slice(1))
    const keys = Array.from(table.scan({}), ({ key }) => fromByteString(key).toString('hex'))
    expect(keys).toEqual(['', '0000000000000084', '80', 'ff'])
    expect(keys.map((hex) => valueAt(table, toByteString(Buffer.from(hex, 'hex'))))).toEqual(['1', '1', '1', '1'])
    file.close()
    dispose()
  })
})

describe.each(['memory', 'embedded'])('F2 in runs (%s)', (world) => {
  const raw = topic('in', { key: bytes(), value: json<number>(), nullKey: true })
  const counts = topic('counts', { key: bytes(), value: json<number>() })
  const passed = topic('passed', { key: bytes(), value: json<number>(), nullKey: true })
  const counting = job('counting', {}, ({ stream }) => {
    stream(raw).to(passed)
    stream(raw).groupByKey().count('counts').to(counts)
  })

  it('every key is a group of its own, ∅ is in none, and the outputs have the very bytes', async () => {
    const field = new Field(world)
    await field.topic('in')
    const value = Buffer.from('1')
    const records = [...KEYS.map((hex) => Buffer.from(hex, 'hex')), null].map((key, offset) => {
      return { partition: 0, offset, key, value, timestamp: 0 }
    })
    await field.write('in', ...records)
    const run = await field.run(counting)
    expect(run.steps.counts).toEqual({ skipped: { 'null-key': 1 } })
    const keysOf = async (name: string) =>
      (await field.records(name)).map(({ key }) => (key === null ? null : Buffer.from(key).toString('hex')))
    expect(await keysOf('passed')).toEqual([...KEYS, null])
    expect((await keysOf('counts')).toSorted()).toEqual(KEYS.toSorted())
    expect((await field.out('counts')).every((record) => record.includes('→1 '))).toBe(true)
    await field.write('in', ...records.map((record) => ({ ...record, offset: record.offset + 5 })))
    await field.run(counting)
    expect(field.store(counting, 'counts')).toHaveLength(4)
    expect(field.store(counting, 'counts')?.every((row) => row.endsWith('=2'))).toBe(true)
    expect(field.checkpoint(counting)).toEqual({ 'in/0': 10 })
  })
})
