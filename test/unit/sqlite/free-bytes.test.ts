import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freeBytes } from '../../../src/adapters/sqlite/free-bytes.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('freeBytes', () => {
  it('tells the room where a folder is, or will be', () => {
    const folder = temporaryFolder()
    for (const path of [folder, join(folder, 'not', 'yet')]) {
      const bytes = freeBytes(path) ?? Number.NaN
      expect(Number.isSafeInteger(bytes) && bytes > 0).toBe(true)
    }
  })
})
