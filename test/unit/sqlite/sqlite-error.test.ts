import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { translateFileError } from '../../../src/adapters/sqlite/file-error.ts'
import { translateSqliteError } from '../../../src/adapters/sqlite/sqlite-error.ts'
import { TidemarkError } from '../../../src/core/errors.ts'

const SUBJECT = { what: 'state file', path: '/x/g1.db' }

describe('translateSqliteError', () => {
  it.each([
    ['SQLITE_BUSY', 'STATE_BUSY'],
    ['SQLITE_BUSY_SNAPSHOT', 'STATE_BUSY'],
    ['SQLITE_BUSY_RECOVERY', 'STATE_BUSY'],
    ['SQLITE_LOCKED', 'STATE_BUSY'],
    ['SQLITE_PROTOCOL', 'STATE_BUSY'],
    ['SQLITE_FULL', 'DISK_FULL'],
    ['SQLITE_CORRUPT', 'STATE_DAMAGED'],
    ['SQLITE_CORRUPT_INDEX', 'STATE_DAMAGED'],
    ['SQLITE_NOTADB', 'STATE_DAMAGED'],
    ['SQLITE_IOERR_CORRUPTFS', 'STATE_DAMAGED'],
    ['SQLITE_IOERR_SHORT_READ', 'STATE_DAMAGED'],
    ['SQLITE_IOERR', 'IO_FAILED'],
    ['SQLITE_IOERR_WRITE', 'IO_FAILED'],
    ['SQLITE_CANTOPEN', 'STATE_DAMAGED'],
    ['SQLITE_CANTOPEN_ISDIR', 'STATE_DAMAGED'],
    ['SQLITE_PERM', 'STATE_DAMAGED'],
    ['SQLITE_READONLY', 'IO_FAILED'],
    ['SQLITE_READONLY_DIRECTORY', 'IO_FAILED'],
    ['SQLITE_NOMEM', 'IO_FAILED'],
    ['SQLITE_CONSTRAINT_CHECK', 'IO_FAILED'],
    ['SQLITE_ERROR', 'IO_FAILED'],
    ['SQLITE_SOMETHING_NEW', 'IO_FAILED'],
  ])('takes %s for %s', (sqlite, code) => {
    const cause = new Sqlite.SqliteError('what SQLite says', sqlite)
    expect(translateSqliteError(cause, SUBJECT)).toMatchObject({
      code,
      cause,
      message: expect.stringMatching(/^state file \/x\/g1\.db .*\(what SQLite says\)$/),
      hint: expect.stringMatching(/\.$/),
    })
  })

  it('leaves everything else alone', () => {
    for (const other of [new TypeError('x'), new TidemarkError('USAGE', 'x'), 'text', undefined]) {
      expect(translateSqliteError(other, SUBJECT)).toBe(other)
    }
  })
})

describe('translateFileError', () => {
  it.each([
    ['ENOSPC', 'DISK_FULL'],
    ['EDQUOT', 'DISK_FULL'],
    ['EACCES', 'STATE_DAMAGED'],
    ['EPERM', 'STATE_DAMAGED'],
    ['EIO', 'IO_FAILED'],
    ['ENOTDIR', 'IO_FAILED'],
  ])('takes %s for %s', (system, code) => {
    const cause = Object.assign(new Error('no'), { code: system, syscall: 'open' })
    expect(translateFileError(cause, SUBJECT)).toMatchObject({ code, cause })
  })

  it('leaves everything else alone', () => {
    for (const other of [new TypeError('x'), new TidemarkError('USAGE', 'x'), 'text', undefined]) {
      expect(translateFileError(other, SUBJECT)).toBe(other)
    }
  })
})
