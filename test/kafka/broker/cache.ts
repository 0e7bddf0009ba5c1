import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where built and fetched things are kept from one run to the next: TIDEMARK_CACHE, or a folder of the user's cache. */
export function cacheFolder(): string {
  const folder = process.env.TIDEMARK_CACHE ?? join(homedir(), '.cache', 'tidemark')
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * The folder `name` of the cache. Where it is missing, `make` fills a new one, which appears whole or not at all: several
 * processes may ask at once, and the first to finish wins.
 */
export function cached(name: string, make: (folder: string) => void): string {
  const folder = join(cacheFolder(), name)
  if (existsSync(folder)) return folder
  const made = mkdtempSync(join(cacheFolder(), 'making-'))
  try {
    make(made)
    renameSync(made, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  return folder
}
