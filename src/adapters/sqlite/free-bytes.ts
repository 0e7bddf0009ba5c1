import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Bytes that may still be written where `path` is or would be, or undefined where the system does not tell. */
export function freeBytes(path: string): number | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    } catch {
      if (folder === dirname(folder)) return undefined
    }
  }
}
