import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Database, type DatabaseKind, databaseBytes, openDatabase } from '../../../src/adapters/sqlite/database.ts'
import { temporaryFolder } from './temporary-folder.ts'

const KIND: DatabaseKind = {
  what: 'test file',
  applicationId: 4711,
  migrations: ['CREATE TABLE first (x INTEGER) STRICT'],
}
const NEWER: DatabaseKind = {
  ...KIND,
  migrations: [...KIND.migrations, 'CREATE TABLE second (x INTEGER) STRICT; INSERT INTO second VALUES (2)'],
}

describe('openDatabase', () => {
  it('makes a file only when asked, in folders that it makes', () => {
    const path = join(temporaryFolder(), 'a', 'b', 'x.db')
    expect(openDatabase(path, KIND, { mode: 'write' })).toBeUndefined()
    expect(openDatabase(path, KIND, { mode: 'read' })).toBeUndefined()
    openDatabase(path, KIND, { mode: 'create' }).close()
    expect(readdirSync(join(path, '..'))).toEqual(['x.db'])
    openDatabase(path, KIND, { mode: 'write' })?.close()
  })

  it('opens with a WAL that is bounded, and syncs every commit', () => {
    const db = openDatabase(join(temporaryFolder(), 'x.db'), KIND, { mode: 'create', busyTimeoutMs: 77 })
    const pragma = (name: string): unknown => db.pragma(name, { simple: true })
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(2)
    expect(pragma('journal_size_limit')).toBe(64 * 1024 * 1024)
    expect(pragma('wal_autocheckpoint')).toBe(4000)
    expect(pragma('busy_timeout')).toBe(77)
    expect(pragma('application_id')).toBe(4711)
    expect(pragma('user_version')).toBe(1)
    db.close()
  })

  it('applies what a file has not seen yet, once', () => {
    const path = join(temporaryFolder(), 'x.db')
    openDatabase(path, KIND, { mode: 'create' }).close()
    for (const mode of ['write', 'create', 'read'] as const) {
      const db = openDatabase(path, NEWER, { mode })
      expect(db?.prepare('SELECT x FROM second').all()).toEqual([{ x: 2 }])
      db?.close()
    }
  })

  it('applies all of it or nothing', () => {
    const path = join(temporaryFolder(), 'x.db')
    openDatabase(path, KIND, { mode: 'create' }).close()
    const broken = { ...KIND, migrations: [...KIND.migrations, 'CREATE TABLE second (x INTEGER); nonsense'] }
    expect(() => openDatabase(path, broken, { mode: 'write' })).toThrow('nonsense')
    const db = openDatabase(path, KIND, { mode: 'write' })
    expect(db?.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()).toEqual(['first'])
    db?.close()
    const fresh = join(path, '..', 'fresh.db')
    expect(() => openDatabase(fresh, broken, { mode: 'create' })).toThrow('nonsense')
    expect(openDatabase(fresh, KIND, { mode: 'write' })).toBeUndefined()
  })

  it('refuses an older file to a reader, who cannot bring it up to date', () => {
    const path = join(temporaryFolder(), 'x.db')
    openDatabase(path, KIND, { mode: 'create' }).close()
    expect(() => openDatabase(path, NEWER, { mode: 'read' })).toThrow(
      expect.objectContaining({ code: 'STATE_INCOMPATIBLE', hint: 'A run brings it up to date.' }),
    )
  })

  it.each<[what: string, make: (path: string) => void, code: string, says: string]>([
    ['a newer version', (path) => openDatabase(path, NEWER, { mode: 'create' }).close(), 'STATE_INCOMPATIBLE', 'newer'],
    [
      'another kind',
      (path) => openDatabase(path, { ...KIND, applicationId: 5 }, { mode: 'create' }).close(),
      'STATE_INCOMPATIBLE',
      'not a Tidemark test file',
    ],
    ['an empty file', (path) => writeFileSync(path, ''), 'STATE_DAMAGED', 'is empty'],
    ['some text', (path) => writeFileSync(path, 'hello\n'.repeat(1000)), 'STATE_DAMAGED', 'not a database'],
    ['a folder', (path) => mkdirSync(path), 'STATE_DAMAGED', 'is not a file'],
  ])('refuses %s by name, and leaves it as it is', (_, make, code, says) => {
    const path = join(temporaryFolder(), 'x.db')
    make(path)
    const before = contents(path)
    for (const mode of ['create', 'write', 'read'] as const) {
      expect(() => openDatabase(path, KIND, { mode })).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(says), hint: expect.any(String) }),
      )
    }
    expect(contents(path)).toEqual(before)
  })

  it('refuses a path through a file', () => {
    const path = join(temporaryFolder(), 'x.db')
    writeFileSync(path, '')
    for (const mode of ['create', 'write', 'read'] as const) {
      expect(() => openDatabase(join(path, 'y.db'), KIND, { mode })).toThrow(
        expect.objectContaining({ code: 'IO_FAILED', message: expect.stringContaining('y.db') }),
      )
    }
  })

  it('does not play the WAL of a lost file into a new one', () => {
    const path = join(temporaryFolder(), 'x.db')
    writeFileSync(`${path}-wal`, 'pages of another file')
    expect(openDatabase(path, KIND, { mode: 'write' })).toBeUndefined()
    expect(() => openDatabase(path, KIND, { mode: 'create' })).toThrow(
      expect.objectContaining({ code: 'STATE_DAMAGED', message: expect.stringContaining('is gone') }),
    )
    expect(readdirSync(join(path, '..'))).toEqual(['x.db-wal'])
  })

  it('takes a path as a path, whatever it looks like', () => {
    const path = join(temporaryFolder(), 'file:x.db?mode=memory')
    openDatabase(path, KIND, { mode: 'create' }).close()
    expect(readdirSync(join(path, '..'))).toEqual(['file:x.db?mode=memory'])
  })

  it('tells the size of a file and its WAL', () => {
    const path = join(temporaryFolder(), 'x.db')
    expect(databaseBytes(path)).toEqual({ file: 0, wal: 0 })
    const db: Database = openDatabase(path, KIND, { mode: 'create' })
    db.exec('INSERT INTO first VALUES (1)')
    expect(databaseBytes(path).file).toBeGreaterThan(0)
    expect(databaseBytes(path).wal).toBeGreaterThan(4096)
    db.close()
    expect(databaseBytes(path).wal).toBe(0)
  })
})

function contents(path: string): unknown {
  try {
    return readFileSync(path).toString('hex')
  } catch {
    return readdirSync(path)
  }
}
