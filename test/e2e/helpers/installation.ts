import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Puts what is installed into a folder of its own: the packages are links to those of this project, all but the ones named. Gives the
 * path of its binary.
 */
export function installAt(home: string, without: readonly string[] = []): string {
  for (const part of ['bin', 'dist/bundle', 'package.json']) {
    cpSync(join(ROOT, part), join(home, part), { recursive: true })
  }
  const modules = join(home, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!without.includes(name)) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  return join(home, 'bin/tidemark.js')
}
