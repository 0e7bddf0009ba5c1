import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { StoreRow, StoreShape, StoreTable } from '../../../src/ports/store-table.ts'
import { BACKENDS, type Backend } from '../state-file/backends.ts'
import { bytes, row, shown, slice, text } from '../state-file/samples.ts'

describe.each(BACKENDS)('a store (%s)', (_, make) => {
  let backend: Backend
  let file: StateFile
  beforeEach(() => {
    backend = make()
    file = backend.directory.open('orders', 'g1', { create: true })
  })
  afterEach(() => {
    file.close()
    backend.dispose()
  })

  const store = (shape: StoreShape, ...rows: readonly StoreRow[]): StoreTable => {
    const table = file.table({ name: shape, shape, format: '' })
    file.begin()
    for (const each of rows) table.put(each)
    return table
  }

  it.each(['key-value', 'window', 'key-time'] as const)('gives back a row whole, and its replacement (%s)', (shape) => {
    const place = {
      key: 'k',
      time: shape === 'key-value' ? 0 : 1_700_000_000_123,
      ordinal: shape === 'key-time' ? 7 : 0,
    }
    const first = { ...place, value: bytes('one'), timestamp: 1_700_000_000_456, task: 3 }
    const table = store(shape, first)
    const get = (): unknown => {
      const found = table.get(place.key, place.time, place.ordinal)
      return found && { ...found, value: text(found.value) }
    }
    expect(get()).toEqual({ ...first, value: 'one' })
    table.put({ ...first, value: bytes(''), timestamp: -1, task: 0 })
    expect(get()).toEqual({ ...place, value: '', timestamp: -1, task: 0 })
    expect(table.size()).toBe(1)
    table.delete('other', place.time, place.ordinal)
    expect(table.size()).toBe(1)
    table.delete(place.key, place.time, place.ordinal)
    table.delete(place.key, place.time, place.ordinal)
    expect(get()).toBeUndefined()
    expect(table.size()).toBe(0)
  })

  it.each(['key-value', 'window', 'key-time'] as const)(
    'loads rows, but not over those of another task (%s)',
    (shape) => {
      const at = (key: string) => ({ key, time: shape === 'key-value' ? 0 : 5, ordinal: shape === 'key-time' ? 2 : 0 })
      const of = (key: string, value: string, task: number) => ({ ...at(key), value: bytes(value), timestamp: 1, task })
      const many = Array.from({ length: 50 }, (_, index) => of(`k${index + 100}`, 'new', 1))
      const table = store(shape, of('k107', 'other', 2), of('k120', 'other', 0), of('k130', 'old', 1))
      const leftOut = table.load([...many, of('k101', 'newer', 1)])
      expect(leftOut.map(({ key }) => key)).toEqual(['k107', 'k120'])
      const value = (key: string) => text(table.get(key, at(key).time, at(key).ordinal)?.value)
      expect(['k107', 'k120', 'k130', 'k101', 'k149'].map(value)).toEqual(['other', 'other', 'new', 'newer', 'new'])
      expect(table.size()).toBe(50)
      expect(table.load([])).toEqual([])
    },
  )

  it.each(['key-value', 'window', 'key-time'] as const)('takes values in either form of bytes (%s)', (shape) => {
    const at = { time: shape === 'key-value' ? 0 : 5, ordinal: shape === 'key-time' ? 2 : 0, timestamp: 1, task: 0 }
    const values = ['plain', '', 'a\0b', '\u0000', '\u00e9\u00ff', '\u0080']
    const table = store(shape)
    const rows = values.map((value, index) => ({ ...at, key: `${value}${index}`, value }))
    table.load(rows.slice(0, 3))
    for (const each of rows.slice(3)) table.put(each)
    const read = rows.map(({ key, time, ordinal }) => table.get(key, time, ordinal)?.value ?? [])
    expect(read.map((value) => Buffer.from(value).toString('latin1'))).toEqual(values)
    expect(table.load(rows)).toEqual([])
    expect([...table.scan({})].map(({ key }) => key)).toEqual(rows.map(({ key }) => key).sort())
  })

  it('keeps windows of one key, and keys of one window, apart', () => {
    const table = store('window', row('a', '1', { time: 10 }), row('b', '2', { time: 10 }), row('a', '3', { time: 0 }))
    expect(text(table.get('a', 10, 0)?.value)).toBe('1')
    expect(text(table.get('a', 0, 0)?.value)).toBe('3')
    expect(table.get('b', 0, 0)).toBeUndefined()
    expect(shown(table.scan({}))).toEqual(['a@0.0=3', 'a@10.0=1', 'b@10.0=2'])
    expect(shown(table.scan({ order: 'key' }))).toEqual(['a@0.0=3', 'a@10.0=1', 'b@10.0=2'])
    table.put(row('c', '4', { time: 0 }))
    expect(shown(table.scan({}))).toEqual(['a@0.0=3', 'c@0.0=4', 'a@10.0=1', 'b@10.0=2'])
    expect(shown(table.scan({ order: 'key' }))).toEqual(['a@0.0=3', 'a@10.0=1', 'b@10.0=2', 'c@0.0=4'])
  })

  it('orders sessions by key or by time, and tells those of one end apart', () => {
    const at = (time: number, ordinal: number): Partial<StoreRow> => ({ time, ordinal })
    const table = store(
      'key-time',
      row('b', '1', at(5, 1)),
      row('a', '2', at(9, 0)),
      row('b', '3', at(5, 0)),
      row('b', '4', at(-1, 0)),
    )
    expect(shown(table.scan({}))).toEqual(['a@9.0=2', 'b@-1.0=4', 'b@5.0=3', 'b@5.1=1'])
    expect(shown(table.scan({ order: 'time' }))).toEqual(['b@-1.0=4', 'b@5.0=3', 'b@5.1=1', 'a@9.0=2'])
    expect(shown(table.scan({ fromKey: 'b', toKey: 'b\0', fromTime: 5 }))).toEqual(['b@5.0=3', 'b@5.1=1'])
    expect(shown(table.scan({ order: 'time', toTime: 9, fromTime: 0 }))).toEqual(['b@5.0=3', 'b@5.1=1'])
  })

  it('scans half open ranges of keys and times, of one task', () => {
    const rows = ['a', 'b', 'c', 'd'].map((key, task) => row(key, String(task), { time: task * 10, task: task % 2 }))
    const table = store('window', ...rows)
    const keys = (range: Parameters<StoreTable['scan']>[0]): string =>
      [...table.scan(range)].map(({ key }) => key).join('')
    expect(keys({ fromKey: 'b', toKey: 'd' })).toBe('bc')
    expect(keys({ fromTime: 10, toTime: 30 })).toBe('bc')
    expect(keys({ fromTime: 10, toTime: 11 })).toBe('b')
    expect(keys({ fromTime: 10, toTime: 10 })).toBe('')
    expect(keys({ fromTime: 30, toTime: 10 })).toBe('')
    expect(keys({ task: 1 })).toBe('bd')
    expect(keys({ task: 1, fromKey: 'c' })).toBe('d')
    expect(keys({ toTime: Number.POSITIVE_INFINITY, fromTime: Number.NEGATIVE_INFINITY })).toBe('abcd')
  })

  it('reads the time of a key-value row as 0', () => {
    const table = store('key-value', row('a', '1'), row('b', '2', { task: 1 }))
    expect(shown(table.scan({ fromTime: 0, toTime: 1, order: 'time' }))).toEqual(['a@0.0=1', 'b@0.0=2'])
    expect(shown(table.scan({ fromTime: 1 }))).toEqual([])
    expect(shown(table.scan({ toTime: 0 }))).toEqual([])
    expect(table.expire(0, 100)).toBe(0)
    expect(table.size()).toBe(2)
    expect([table.latestTime(1), table.latestTime(2)]).toEqual([0, -1])
  })

  it.each(['window', 'key-time'] as const)('expires what is older, of one task, and counts it (%s)', (shape) => {
    const rows = [0, 10, 20].flatMap((time) => [0, 1].map((task) => row(`k${task}`, '', { time, task })))
    const table = store(shape, ...rows)
    expect([table.latestTime(0), table.latestTime(1), table.latestTime(2)]).toEqual([20, 20, -1])
    expect(table.expire(0, 20)).toBe(2)
    expect(table.expire(0, 20)).toBe(0)
    expect(shown(table.scan({ order: 'time' }))).toEqual(['k1@0.0=', 'k1@10.0=', 'k0@20.0=', 'k1@20.0='])
    expect(table.expire(0, 21)).toBe(1)
    expect([table.latestTime(0), table.latestTime(1)]).toEqual([-1, 20])
  })

  it('goes through more rows than fit a page, each once, while others are written', () => {
    const rows = Array.from({ length: 700 }, (_, index) => row(`k${String(index).padStart(4, '0')}`, 'x'))
    const table = store('key-value', ...rows)
    const seen: string[] = []
    for (const { key } of table.scan({})) {
      seen.push(key)
      table.delete(key, 0, 0)
      file.table({ name: 'other', shape: 'window', format: '' }).put(row(key, '', { time: seen.length }))
    }
    expect(seen).toEqual(rows.map(({ key }) => key))
    expect(table.size()).toBe(0)
  })

  it('can be left in the middle of scans that run side by side', () => {
    const table = store('key-value', ...['a', 'b', 'c'].map((key) => row(key, key)))
    const one = table.scan({})
    const two = table.scan({})
    expect([one.next().value?.key, two.next().value?.key, one.next().value?.key]).toEqual(['a', 'a', 'b'])
    table.put(row('d', 'd'))
    file.commit(slice(1))
    for (const { key } of table.scan({})) if (key === 'b') break
    file.begin()
    file.rollback()
    expect(two.next().value?.key).toBe('b')
  })

  it('holds values of a megabyte, and scans them', () => {
    const big = new Uint8Array(1024 * 1024).fill(7)
    const table = store(
      'key-value',
      ...Array.from({ length: 9 }, (_, index) => ({ ...row(`k${index}`, ''), value: big })),
    )
    expect(Array.from(table.scan({}), ({ value }) => value.length)).toEqual(Array(9).fill(big.length))
    expect(table.get('k3', 0, 0)?.value.every((byte) => byte === 7)).toBe(true)
  })
})
