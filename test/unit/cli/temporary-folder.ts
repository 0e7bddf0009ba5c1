import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder that is removed after the tests of the file, and a way to put files into it. Call it in a describe or on top. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-test-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    /** Writes a file and gives its path. */
    async file(name: string, content: string | Uint8Array): Promise<string> {
      const file = join(path, name)
      await mkdir(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
  }
}
