import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Gives the finished file `draft` the name `path`, durably: a reader sees the whole file or none. Tells whether it did:
 * false when `path` exists, which is left as it is. The draft is gone afterwards.
 */
export function publishFile(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
    renameSync(draft, path) // a file system without links: the callers' lock is what keeps two makers apart
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(path))
  return true
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
