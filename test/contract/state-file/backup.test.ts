import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StateFile } from '../../../src/ports/state-file.ts'
import { BACKENDS, type Backend } from './backends.ts'
import { COUNTS, row, slice, valueAt } from './samples.ts'

describe.each(BACKENDS)('a backup (%s)', (_, make) => {
  let backend: Backend
  let file: StateFile
  beforeEach(() => {
    backend = make()
    file = backend.directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    table.put(row('a', '1'))
    file.commit(slice(1))
  })
  afterEach(() => {
    file.close()
    backend.dispose()
  })

  it('holds what was committed, and is no longer touched by what comes later', async () => {
    const path = backend.backupPath('copy.db')
    await file.backup(path)
    const table = file.table(COUNTS)
    file.begin()
    table.put(row('a', '2'))
    file.commit(slice(2))
    await backend.directory.restore('orders', 'copy', path)
    await backend.directory.restore('fresh', 'g1', path)
    for (const [job, generation] of [
      ['orders', 'copy'],
      ['fresh', 'g1'],
    ] as const) {
      const copy = backend.directory.open(job, generation, { create: true })
      expect(copy.checkpoint()?.token.seq).toBe(1)
      expect(valueAt(copy.table(COUNTS), 'a')).toBe('1')
      copy.begin()
      copy.table(COUNTS).put(row('a', '9'))
      copy.commit(slice(3))
      copy.close()
    }
    expect(valueAt(table, 'a')).toBe('2')
  })

  it('never replaces anything', async () => {
    const path = backend.backupPath('copy.db')
    await file.backup(path)
    await expect(file.backup(path)).rejects.toMatchObject({ code: 'USAGE' })
    await expect(backend.directory.restore('orders', 'g1', path)).rejects.toMatchObject({ code: 'USAGE' })
    expect(file.checkpoint()?.token.seq).toBe(1)
    backend.directory.remove('orders', 'g1')
    await backend.directory.restore('orders', 'g1', path)
    expect(backend.directory.generations('orders')).toEqual(['g1'])
  })

  it('has to be there to be restored', async () => {
    const restored = backend.directory.restore('orders', 'g2', backend.backupPath('nothing.db'))
    await expect(restored).rejects.toMatchObject({ code: 'USAGE' })
    expect(backend.directory.generations('orders')).toEqual(['g1'])
  })
})
