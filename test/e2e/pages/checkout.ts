import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ROOT } from './root.ts'

/** A copy of the project as it is once `npm ci` has installed and built it, for the commands of one page. */
export interface Checkout {
  readonly path: string
  /** Runs lines of shell there and gives what they print to stdout. Throws where one of them fails. */
  sh(lines: string): string
  write(path: string, text: string): void
}

/** Makes a copy; it is removed after the tests of the file. Call it in a describe or on top. */
export function checkout(): Checkout {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-page-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  for (const part of ['bin', 'dist', 'jobs', 'docs', 'package.json'])
    cpSync(join(ROOT, part), join(path, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TIDEMARK_|NODE_OPTIONS$|VITEST|FORCE_COLOR$|npm_)/.test(name)),
  )
  return {
    path,
    sh(lines) {
      const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', lines], {
        cwd: path,
        env,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      })
      if (status !== 0) throw new Error(`ended with ${status}: ${lines}\n${stdout.slice(-2000)}${stderr}`)
      return stdout
    },
    write: (name, text) => writeFileSync(join(path, name), text),
  }
}
