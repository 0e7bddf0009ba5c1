import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { copyRefused } from '../state-rules/copy-refused.ts'
import type { Database, DatabaseKind } from './database.ts'
import { translateFileError } from './file-error.ts'
import { draftPath, publishDatabase } from './publish-database.ts'
import { translateSqliteError } from './sqlite-error.ts'

/**
 * Copies what `db` has committed to `path`, whole or not at all, and without stopping the event loop for long. Throws
 * USAGE when `path` exists, DISK_FULL or IO_FAILED. `db` may be read and written meanwhile.
 */
export async function copyDatabase(db: Database, kind: DatabaseKind, path: string): Promise<void> {
  const subject = { what: `copy of the ${kind.what}`, path: resolve(path) }
  const draft = draftPath(subject.path)
  try {
    statSync(resolve(subject.path, '..'))
    if (statSync(subject.path, { throwIfNoEntry: false }) !== undefined) throw copyRefused(subject.path)
    await db.backup(draft)
    if (!publishDatabase(draft, subject.path)) throw copyRefused(subject.path)
  } catch (error) {
    throw translateFileError(translateSqliteError(error, subject), subject)
  }
}
