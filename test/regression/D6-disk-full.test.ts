import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/adapters/sqlite/database.ts'
import { SqliteStateFile } from '../../src/adapters/sqlite/state/state-file.ts'
import { STATE_FILE } from '../../src/adapters/sqlite/state/state-schema.ts'
import type { StoreTable } from '../../src/ports/store-table.ts'
import { bytes, COUNTS, row, shown, slice } from '../contract/state-file/samples.ts'
import { temporaryFolder } from '../unit/sqlite/temporary-folder.ts'
import { type Change, Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

const FULL = expect.objectContaining({ code: 'DISK_FULL', exit: 74, message: expect.stringContaining('disk is full') })
const KEYS = Array.from({ length: 1000 }, (_, index) => `key-${String(index).padStart(4, '0')}`)
const LONG = 'x'.repeat(100)

describe('D6: the disk is full in the middle of a slice', () => {
  let db: Database
  let file: SqliteStateFile
  let table: StoreTable
  beforeEach(() => {
    db = openDatabase(join(temporaryFolder(), 'g1.db'), STATE_FILE, { mode: 'create' })
    file = new SqliteStateFile(db)
    table = file.table(COUNTS)
    file.begin()
    table.put(row('key-0000', 'before'))
    file.commit(slice(1))
  })
  afterEach(() => file.close())

  const pages = (): number => Number(db.pragma('page_count', { simple: true }))
  const limit = (count: number): unknown => db.pragma(`max_page_count = ${count}`)
  const unlimited = (): unknown => limit(1_000_000)
  const write = (key: string): void => table.put(row(key, LONG))

  /** Puts every key, going on after an error as careless code does; gives the errors. */
  const writeCarelessly = (): readonly unknown[] => {
    const errors: unknown[] = []
    for (const key of KEYS) {
      try {
        file.begin()
        write(key)
      } catch (error) {
        errors.push(error)
      }
    }
    return errors
  }
  const expectAsBefore = (): void => {
    expect(shown(table.scan({}))).toEqual(['key-0000@0.0=before'])
    expect(file.checkpoint()?.token.seq).toBe(1)
    expect(file.outbox()?.token.seq).toBe(1)
    expect(file.run('run-1')?.slices).toBe(1)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  }

  it('ends the slice with the first error, whatever the caller does', () => {
    limit(pages() + 10)
    const errors = writeCarelessly()
    expect(errors.length).toBeGreaterThan(100)
    expect(errors[0]).toEqual(FULL)
    expect(new Set(errors).size).toBe(1)
    expect(() => file.commit(slice(2))).toThrow(FULL)
    expectAsBefore()
  })

  it('names the disk when the checkpoint, the outbox or the history does not fit', () => {
    const big = bytes(LONG.repeat(2000))
    const next = slice(2)
    const batches = [{ topic: 'out', partition: 0, records: 1, bytes: big }]
    for (const part of [
      { checkpoint: { ...next.checkpoint, bytes: big } },
      { outbox: { ...next.outbox, batches } },
      { run: { ...next.run, plan: LONG.repeat(2000) } },
      { events: [{ kind: 'gap', seq: 2, runId: null, at: 0, detail: { big: LONG.repeat(2000) } } as const] },
    ]) {
      limit(pages() + 10)
      file.begin()
      write('key-0001')
      expect(() => file.commit({ ...next, ...part })).toThrow(FULL)
      unlimited()
      expectAsBefore()
    }
  })

  it('loses nothing: with room again, the same slice is as if nothing had been', () => {
    limit(pages() + 10)
    writeCarelessly()
    file.rollback()
    unlimited()
    expect(writeCarelessly()).toEqual([])
    file.commit(slice(2))
    expect(table.size()).toBe(KEYS.length)
    expect(shown(table.scan({}))).toEqual(KEYS.map((key) => `${key}@0.0=${LONG}`))
    expect(file.checkpoint()?.token.seq).toBe(2)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  it('drops a connection that cannot even roll back', () => {
    const path = db.name
    file.begin()
    write('key-0001')
    const rows = db.prepare('SELECT key FROM counts').iterate() // better-sqlite3 refuses writes and rollbacks now
    const refused = expect.objectContaining({ message: expect.stringContaining('busy executing a query') })
    for (const use of [
      () => file.commit(slice(2)),
      () => file.begin(),
      () => file.commit(slice(2)),
      () => file.checkpoint(),
      () => table.get('key-0000', 0, 0),
      () => write('key-0001'),
    ]) {
      expect(use).toThrow(refused)
    }
    rows.return?.()
    expect(() => file.commit(slice(2))).toThrow(refused)
    file.close()
    db = openDatabase(path, STATE_FILE, { mode: 'create' })
    file = new SqliteStateFile(db)
    table = file.table(COUNTS)
    expectAsBefore()
  })
})

describe('D6 in runs', () => {
  const job = counting({ sliceRecords: 700 })
  const records = Array.from({ length: 1000 }, (_, index) => `p0 ${'k'.repeat(90)}${index}`)

  /** A process whose state file may grow by 10 pages: the first slice does not fit. */
  const nearlyFull: Change = (env) => ({
    ...env,
    state: new Proxy(env.state, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (name !== 'open' || typeof value !== 'function')
          return typeof value === 'function' ? value.bind(target) : value
        return (jobName: string, generation: string) => {
          const db = openDatabase(target.pathOf(jobName, generation), STATE_FILE, { mode: 'create' })
          db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 10}`)
          return new SqliteStateFile(db)
        }
      },
    }),
  })

  it('the run names the disk and leaves the old pair; with room it ends as a clean one', async () => {
    const [field, clean] = [new Field('embedded'), new Field('memory')]
    for (const { topic, batch } of [field, clean].map((each) => ({
      topic: () => each.topic('in'),
      batch: (records: readonly string[]) => each.batch('in', 'none', ...records),
    }))) {
      await topic()
      await batch(['p0 first'])
      await batch(records)
    }
    await field.run(job, { to: '1' })
    const error = await field.fail(job, {}, nearlyFull)
    expect(error).toMatchObject({ code: 'DISK_FULL', exit: 74, message: expect.stringContaining('disk is full') })
    expect(field.checkpoint(job)).toEqual({ 'in/0': 1 })
    expect(field.store(job, 'counts')).toEqual(['first=1'])
    expect(await field.out('out')).toEqual(['first→1 @0'])
    const db = openDatabase(field.env.state.pathOf(job.name, 'g1'), STATE_FILE, { mode: 'write' })
    expect(db?.pragma('integrity_check', { simple: true })).toBe('ok')
    db?.close()

    await field.run(job)
    await clean.run(job)
    expect(field.store(job, 'counts')).toEqual(clean.store(job, 'counts'))
    expect(field.checkpoint(job)).toEqual(clean.checkpoint(job))
    expect(await field.out('out')).toEqual(await clean.out('out'))
  })
})
