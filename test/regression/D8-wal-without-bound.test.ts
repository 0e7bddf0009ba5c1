import { job, string, topic } from 'tidemark'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseBytes, openDatabase } from '../../src/adapters/sqlite/database.ts'
import { SqliteStateDirectory } from '../../src/adapters/sqlite/state/state-directory.ts'
import { STATE_FILE } from '../../src/adapters/sqlite/state/state-schema.ts'
import type { StateFile } from '../../src/ports/state-file.ts'
import type { StoreRow } from '../../src/ports/store-table.ts'
import { COUNTS, row, slice } from '../contract/state-file/samples.ts'
import { temporaryFolder } from '../unit/sqlite/temporary-folder.ts'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

const MIB = 1024 * 1024
/** What SQLite lets the WAL grow to before it folds it into the file: 4,000 pages. */
const FOLDED_AT = 4000 * 4096

describe('D8: the WAL is bounded', () => {
  let path: string
  let file: StateFile
  let seq = 0
  beforeEach(() => {
    const directory = new SqliteStateDirectory(temporaryFolder(), { busyTimeoutMs: 20 })
    path = directory.pathOf('orders', 'g1')
    file = directory.open('orders', 'g1', { create: true })
    seq = 0
  })
  afterEach(() => file.close())

  const run = (rows: Iterable<StoreRow>): void => {
    const table = file.table(COUNTS)
    file.begin()
    for (const each of rows) table.put(each)
    seq += 1
    file.commit(slice(seq))
  }
  const wal = (): number => databaseBytes(path).wal

  it('grows while a reader pins it, says so, and shrinks when the reader has left', () => {
    run([row('key-0', 'first')])
    const reader = openDatabase(path, STATE_FILE, { mode: 'read' })
    reader?.exec('BEGIN')
    const seen = reader?.prepare('SELECT count(*) FROM counts').pluck()
    expect(seen?.get()).toBe(1)
    for (let i = 0; i < 50; i++) {
      run(Array.from({ length: 2000 }, (_, index) => row(`key-${index % 100}`, `${i}-${index}`)))
    }
    expect(file.truncateWal()).toBeGreaterThan(50 * 4096)
    expect(file.truncateWal()).toBe(wal())
    expect(seen?.get()).toBe(1)
    reader?.close()
    run([row('key-0', 'last')])
    expect(file.truncateWal()).toBe(0)
    expect(wal()).toBe(0)
    expect(file.table(COUNTS).size()).toBe(100)
  })

  it('stays near the size of a slice, however long the range', () => {
    const value = 'x'.repeat(1000)
    let written = 0
    let peak = 0
    for (let i = 0; i < 30; i++) {
      run(Array.from({ length: 2000 }, (_, index) => row(`key-${i}-${index}`, value)))
      written += 2000 * value.length
      peak = Math.max(peak, wal())
    }
    expect(written).toBeGreaterThan(50 * MIB)
    expect(peak).toBeLessThan(FOLDED_AT + 8 * MIB)
    expect(file.truncateWal()).toBe(0)
  })
})

describe('D8 in runs', () => {
  const walOf = (field: Field, name: string) => databaseBytes(field.env.state.pathOf(name, 'g1')).wal

  it('a run whose WAL a reader pins says so; when the reader has left, the next one empties it', async () => {
    const field = new Field('embedded')
    const updates = Array.from({ length: 1000 }, (_, index) => `p0 k${index % 100}`)
    await field.topic('in')
    await field.batch('in', 'none', ...updates)
    expect((await field.run(counting())).notices).toEqual([])
    const path = field.env.state.pathOf('counting', 'g1')
    const reader = openDatabase(path, STATE_FILE, { mode: 'read' })
    reader?.exec('BEGIN')
    reader?.prepare('SELECT count(*) FROM counts').get()
    for (let run = 0; run < 5; run++) {
      await field.batch('in', 'none', ...updates)
      const { notices, status } = await field.run(counting())
      expect(status).toBe('done')
      expect(notices).toEqual([expect.stringMatching(/reads .*g1\.db and keeps its WAL from being emptied: \d+ bytes/)])
    }
    expect(walOf(field, 'counting')).toBeGreaterThan(5 * 4096)
    // Another one, which pins nothing, keeps the last to close from removing the WAL by the way.
    const onlooker = openDatabase(path, STATE_FILE, { mode: 'read' })
    onlooker?.prepare('SELECT count(*) FROM counts').get()
    reader?.close()
    await field.batch('in', 'none', ...updates)
    expect((await field.run(counting())).notices).toEqual([])
    expect(walOf(field, 'counting')).toBe(0)
    onlooker?.close()
    expect(field.store(counting(), 'counts')?.slice(0, 2)).toEqual(['k0=70', 'k1=70'])
  })

  it('a long range takes a WAL of the size of a slice', async () => {
    const texts = topic('in', { key: string(), value: string() })
    const keeping = job('keeping', { sliceRecords: 2000 }, ({ stream }) => {
      stream(texts)
        .groupByKey()
        .reduce('last', (_, text) => text)
    })
    const field = new Field('embedded')
    await field.topic('in')
    for (let batch = 0; batch < 30; batch++) {
      const records = Array.from({ length: 2000 }, (_, index) => `p0 ${batch}-${index}→${'x'.repeat(1000)}`)
      await field.batch('in', 'gzip', ...records)
    }
    let peak = 0
    const steps = {
      enter: () => {
        peak = Math.max(peak, walOf(field, 'keeping'))
      },
    }
    expect(await field.run(keeping, {}, (env) => ({ ...env, steps }))).toMatchObject({ records: 60_000, slices: 30 })
    expect(databaseBytes(field.env.state.pathOf('keeping', 'g1')).file).toBeGreaterThan(50 * MIB)
    expect(peak).toBeLessThan(FOLDED_AT + 8 * MIB)
  })
})
