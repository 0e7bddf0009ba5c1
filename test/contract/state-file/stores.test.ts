import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StateFile, StoreIdentity } from '../../../src/ports/state-file.ts'
import { BACKENDS, type Backend } from './backends.ts'
import { COUNTS, row, slice, valueAt } from './samples.ts'

const NAMES = [
  'hourly-delay',
  'HOURLY-DELAY',
  'runs',
  'tidemark_runs',
  'tidemark_store_1',
  'tidemark_by_time_1',
  'sqlite_master',
  'select',
  'a "quoted" name; drop',
  "it's",
  '__proto__',
  'constructor',
  'é',
  'e\u0301',
  '',
  'a\0b',
  'a\0c',
]

describe.each(BACKENDS)('the stores of a state file (%s)', (_, make) => {
  let backend: Backend
  let file: StateFile
  const open = () => backend.directory.open('orders', 'g1', { create: true })
  beforeEach(() => {
    backend = make()
    file = open()
  })
  afterEach(() => {
    file.close()
    backend.dispose()
  })

  it('are listed as they were made, and are there again', () => {
    const made: StoreIdentity[] = [
      { name: 'z', shape: 'window', format: 'json' },
      { name: 'a', shape: 'key-time', format: '' },
      { name: 'm', shape: 'key-value', format: 'string>json{"x"}' },
    ]
    for (const identity of made) {
      const table = file.table(identity)
      expect([table.name, table.shape]).toEqual([identity.name, identity.shape])
    }
    for (const identity of made) file.table(identity)
    expect(file.stores()).toEqual(made)
    file.close()
    file = open()
    expect(file.stores()).toEqual(made)
  })

  it.each(['key-value', 'window', 'key-time'] as const)('keep rows apart under any names (%s)', (shape) => {
    for (const name of NAMES) file.table({ name, shape, format: name })
    file.begin()
    for (const name of NAMES) file.table({ name, shape, format: name }).put(row('k', name))
    file.commit(slice(1))
    file.close()
    file = open()
    expect(file.stores()).toEqual(NAMES.map((name) => ({ name, shape, format: name })))
    const values = NAMES.map((name) => valueAt(file.table({ name, shape, format: name }), 'k'))
    expect(values).toEqual(NAMES)
    expect(file.run('run-1')?.slices).toBe(1)
  })

  it('cannot be opened with another shape, and keep their format', () => {
    file.table(COUNTS)
    expect(() => file.table({ ...COUNTS, shape: 'window' })).toThrow(
      expect.objectContaining({ code: 'STATE_INCOMPATIBLE', message: expect.stringContaining('counts') }),
    )
    file.table({ ...COUNTS, format: 'other' })
    expect(file.stores()).toEqual([COUNTS])
  })

  it('are dropped with their rows, and start empty when made again', () => {
    const table = file.table(COUNTS)
    file.table({ ...COUNTS, name: 'other' })
    file.begin()
    table.put(row('a', '1'))
    file.commit(slice(1))
    file.dropStore('counts')
    file.dropStore('counts')
    expect(file.stores().map(({ name }) => name)).toEqual(['other'])
    const again = file.table({ ...COUNTS, shape: 'key-time' })
    expect(again.size()).toBe(0)
    expect(file.stores().map(({ name }) => name)).toEqual(['other', 'counts'])
  })

  it('are made and dropped in the open transaction, and come back with it', () => {
    const kept = file.table(COUNTS)
    file.begin()
    kept.put(row('a', '1'))
    file.commit(slice(1))
    file.begin()
    file.dropStore('counts')
    file.table({ name: 'fresh', shape: 'window', format: 'x' }).put(row('b', '2', { time: 5 }))
    expect(file.stores().map(({ name }) => name)).toEqual(['fresh'])
    file.rollback()
    expect(file.stores()).toEqual([COUNTS])
    expect(valueAt(file.table(COUNTS), 'a')).toBe('1')
    const fresh = file.table({ name: 'fresh', shape: 'key-value', format: 'x' })
    file.begin()
    fresh.put(row('b', '3'))
    file.commit(slice(2))
    expect(valueAt(fresh, 'b')).toBe('3')
  })
})
