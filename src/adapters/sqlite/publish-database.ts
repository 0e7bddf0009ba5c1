import { linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { TidemarkError } from '../../core/errors.ts'
import { syncFolder } from './folders.ts'

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

let drafts = 0

/** A name beside `path` under which a database is written before it gets that name. */
export function draftPath(path: string): string {
  drafts += 1
  return `${path}.new-${process.pid}-${drafts}`
}

/**
 * Gives a finished, closed database the name `path`, durably: a reader sees the whole file or none. Tells whether it did:
 * false when `path` exists, which is left as it is. The draft is gone afterwards. Throws STATE_DAMAGED where a file of
 * that name was lost and its WAL was not: SQLite would play the old one's pages into the new one.
 */
export function publishDatabase(draft: string, path: string): boolean {
  try {
    refuseOrphan(path)
    linkSync(draft, path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
    renameSync(draft, path) // a file system without links: the callers' lock is what keeps two makers apart
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true })
  }
  syncFolder(dirname(path))
  return true
}

function refuseOrphan(path: string): void {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (wal === undefined || wal.size === 0 || statSync(path, { throwIfNoEntry: false }) !== undefined) return
  throw new TidemarkError('STATE_DAMAGED', `${path} is gone, but its WAL is there: ${path}-wal`, {
    hint: 'Put the file back, or move its WAL away.',
  })
}
