import Sqlite from 'better-sqlite3'
import type { ErrorCode } from '../../core/error-codes.ts'
import { TidemarkError } from '../../core/errors.ts'

/** The file that an error is about. */
export interface SqliteSubject {
  /** What it is, for messages: `state file`, `log file`. */
  readonly what: string
  readonly path: string
}

interface Meaning {
  readonly code: ErrorCode
  readonly says: string
  readonly hint: string
}

const BUSY: Meaning = {
  code: 'STATE_BUSY',
  says: 'is held by another process',
  hint: 'Nothing was changed. Try again when the other process is done.',
}
const FULL: Meaning = {
  code: 'DISK_FULL',
  says: 'cannot grow: the disk is full',
  hint: 'Nothing was changed. Make room, then run the same command again.',
}
const DAMAGED: Meaning = {
  code: 'STATE_DAMAGED',
  says: 'is damaged',
  hint: 'It was left as it is. Restore a backup, or move the file away.',
}
const UNREADABLE: Meaning = {
  code: 'STATE_DAMAGED',
  says: 'cannot be opened',
  hint: 'It was left as it is. See who may read and write it and its folder, and that it is a file.',
}
const UNWRITABLE: Meaning = {
  code: 'IO_FAILED',
  says: 'cannot be written',
  hint: 'Nothing was changed. See who may write it and its folder.',
}
const FAILED: Meaning = {
  code: 'IO_FAILED',
  says: 'cannot be read or written',
  hint: 'Nothing was changed. See the health of the disk, then run the same command again.',
}
const REFUSED: Meaning = {
  code: 'IO_FAILED',
  says: 'refused a statement',
  hint: 'Nothing was changed. This is a fault in Tidemark, or someone changed the tables of the file.',
}

/** By SQLite's result codes, extended ones before the primary ones that they begin with. */
const MEANINGS: readonly (readonly [code: string, meaning: Meaning])[] = [
  ['SQLITE_BUSY', BUSY],
  ['SQLITE_LOCKED', BUSY],
  ['SQLITE_PROTOCOL', BUSY],
  ['SQLITE_FULL', FULL],
  ['SQLITE_CORRUPT', DAMAGED],
  ['SQLITE_NOTADB', DAMAGED],
  ['SQLITE_FORMAT', DAMAGED],
  ['SQLITE_IOERR_CORRUPTFS', DAMAGED],
  ['SQLITE_IOERR_SHORT_READ', DAMAGED],
  ['SQLITE_IOERR', FAILED],
  ['SQLITE_CANTOPEN', UNREADABLE],
  ['SQLITE_PERM', UNREADABLE],
  ['SQLITE_AUTH', UNREADABLE],
  ['SQLITE_READONLY', UNWRITABLE],
  ['SQLITE_NOMEM', FAILED],
  ['SQLITE_NOLFS', FAILED],
]

/**
 * What to throw for an error that SQLite raised: always a TidemarkError (STATE_BUSY, DISK_FULL, STATE_DAMAGED or
 * IO_FAILED), with SQLite's own as the cause. Anything that is not SQLite's is given back as it is.
 */
export function translateSqliteError(error: unknown, subject: SqliteSubject): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const meaning = meaningOf(error.code)
  return new TidemarkError(meaning.code, `${subject.what} ${subject.path} ${meaning.says} (${error.message})`, {
    hint: meaning.hint,
    cause: error,
  })
}

function meaningOf(code: string): Meaning {
  for (const [prefix, meaning] of MEANINGS) if (code === prefix || code.startsWith(`${prefix}_`)) return meaning
  return REFUSED
}
