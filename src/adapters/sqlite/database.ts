import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { TidemarkError } from '../../core/errors.ts'
import { translateFileError } from './file-error.ts'
import { makeFolder } from './folders.ts'
import { applyMigrations } from './migrations.ts'
import { draftPath, publishDatabase } from './publish-database.ts'
import { type SqliteSubject, translateSqliteError } from './sqlite-error.ts'

export type Database = Sqlite.Database

/** One kind of file: what it is called, how it is recognised, how it came to its present shape. */
export interface DatabaseKind {
  /** What it is, for messages: `state file`. */
  readonly what: string
  /** SQLite's application_id, 1 to 2^31 - 1. Another one in a file means that the file is something else. */
  readonly applicationId: number
  /** SQL scripts, in order. A file's user_version is the number of those it has seen. A released one never changes. */
  readonly migrations: readonly string[]
}

export interface OpenOptions {
  /** `create` makes a file that is missing, whole or not at all; `write` and `read` never do. */
  readonly mode: 'create' | 'write' | 'read'
  /** How long to wait for another process's transaction before STATE_BUSY. The process stands still meanwhile. */
  readonly busyTimeoutMs?: number
}

const DEFAULT_BUSY_TIMEOUT_MS = 5_000
const WAL_LIMIT_BYTES = 64 * 1024 * 1024
const AUTOCHECKPOINT_PAGES = 4_000
const WAL_FRAME_HEADER_BYTES = 24

/**
 * The one way to open a SQLite file: WAL, synchronous=FULL, bounded waits, bounded WAL, of the kind asked, at its newest
 * version. Undefined when there is none and `mode` is not `create`.
 *
 * Throws STATE_DAMAGED (damaged, empty, unreadable), STATE_INCOMPATIBLE (another kind, a newer version), STATE_BUSY,
 * DISK_FULL or IO_FAILED. A file that is refused has not been written to.
 */
export function openDatabase(path: string, kind: DatabaseKind, options: OpenOptions & { mode: 'create' }): Database
export function openDatabase(path: string, kind: DatabaseKind, options: OpenOptions): Database | undefined
export function openDatabase(path: string, kind: DatabaseKind, options: OpenOptions): Database | undefined {
  const subject = { what: kind.what, path: resolve(path) }
  const timeout = options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS
  try {
    if (!exists(subject)) {
      if (options.mode !== 'create') return undefined
      create(subject, kind, timeout)
    }
    const version = inspect(subject, kind, timeout)
    if (options.mode === 'read') return openCurrent(subject, kind, version, timeout)
    return configured(new Sqlite(subject.path, { timeout, fileMustExist: true }), kind)
  } catch (error) {
    throw translateFileError(translateSqliteError(error, subject), subject)
  }
}

/** Sizes in bytes of a database's file and of its WAL; 0 for what is not there. */
export function databaseBytes(path: string): { file: number; wal: number } {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return { wal, file: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }
}

function exists(subject: SqliteSubject): boolean {
  const found = statSync(subject.path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) throw damaged(subject, 'is not a file')
  return found !== undefined
}

/** Under another name first: a file that bears its own name is never half made, so an empty one is damage. */
function create(subject: SqliteSubject, kind: DatabaseKind, timeout: number): void {
  makeFolder(dirname(subject.path))
  const draft = draftPath(subject.path)
  configured(new Sqlite(draft, { timeout }), kind).close()
  publishDatabase(draft, subject.path)
}

/** Looks at the file without a right to write it, so that closing a damaged one does not checkpoint a WAL into it. */
function inspect(subject: SqliteSubject, kind: DatabaseKind, timeout: number): number {
  const db = new Sqlite(subject.path, { readonly: true, timeout, fileMustExist: true })
  try {
    if (pragma(db, 'page_count') === 0) throw damaged(subject, 'is empty')
    const id = pragma(db, 'application_id')
    if (id !== kind.applicationId) throw incompatible(subject, `is a SQLite file, but not a Tidemark ${kind.what}`)
    const version = pragma(db, 'user_version')
    if (version > kind.migrations.length) throw incompatible(subject, `has version ${version}, of a newer Tidemark`)
    if (isCut(db, subject.path)) throw damaged(subject, 'is shorter than its contents')
    return version
  } finally {
    db.close()
  }
}

/** SQLite sees a cut file by itself, unless there is a WAL. The WAL's size is taken first: it shrinks after the file grew. */
function isCut(db: Database, path: string): boolean {
  const pages = pragma(db, 'page_count')
  const pageBytes = pragma(db, 'page_size')
  const { wal, file } = databaseBytes(path)
  const frames = Math.floor(wal / (pageBytes + WAL_FRAME_HEADER_BYTES))
  return pages - Math.floor(file / pageBytes) > frames
}

function openCurrent(subject: SqliteSubject, kind: DatabaseKind, version: number, timeout: number): Database {
  if (version < kind.migrations.length) {
    throw incompatible(subject, `has version ${version}, of an older Tidemark`, 'A run brings it up to date.')
  }
  return new Sqlite(subject.path, { readonly: true, timeout, fileMustExist: true })
}

function configured(db: Database, kind: DatabaseKind): Database {
  try {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`)
    db.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`)
    if (process.platform === 'darwin') {
      db.pragma('fullfsync = ON')
      db.pragma('checkpoint_fullfsync = ON')
    }
    applyMigrations(db, kind)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function pragma(db: Database, name: string): number {
  return Number(db.pragma(name, { simple: true }))
}

function damaged(subject: SqliteSubject, says: string): TidemarkError {
  return new TidemarkError('STATE_DAMAGED', `${subject.what} ${subject.path} ${says}`, {
    hint: 'It was left as it is. Restore a backup, or move the file away.',
  })
}

function incompatible(subject: SqliteSubject, says: string, hint = 'It was left as it is.'): TidemarkError {
  return new TidemarkError('STATE_INCOMPATIBLE', `${subject.what} ${subject.path} ${says}`, { hint })
}
