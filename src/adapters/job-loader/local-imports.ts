import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** The absolute path of the file that `specifier` means in the file `from`; undefined where there is none. */
export type Resolve = (specifier: string, from: string) => string | undefined

const IMPORTS = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

/**
 * A file and all files that it imports by a relative path, directly or through others, sorted. What is imported by a name
 * that is computed, or read while it runs, is not among them.
 */
export function withLocalImports(path: string, resolve: Resolve): readonly string[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    if (file.endsWith('.json')) return
    for (const [, , specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const target = resolve(specifier, file)
      if (target !== undefined) visit(target)
    }
  }
  visit(path)
  return [...found].sort()
}

/** SHA-256 over the files and where they lie from the first one's folder, in hex. The folder itself does not count. */
export function hashOfFiles(path: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${relative(dirname(path), file).replaceAll('\\', '/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
