import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSource, type SourceFile } from './source-file.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The text of a file, by its path from the root of the repository. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The files below a folder, by their paths from the root of the repository, sorted. None where there is no such folder. */
export function filesBelow(folder: string, ending = ''): readonly string[] {
  const entries = readdirIfAny(join(ROOT, folder))
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'))
    .sort()
}

function readdirIfAny(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The TypeScript files below a folder, parsed. */
export function sourcesBelow(folder: string): readonly SourceFile[] {
  return filesBelow(folder, '.ts').map((path) => parseSource(path, readText(path)))
}
