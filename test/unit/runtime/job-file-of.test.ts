import { describe, expect, it } from 'vitest'
import type { GenerationRow } from '../../../src/ports/state-file.ts'
import { jobFileOf } from '../../../src/runtime/job-file-of.ts'

const OLD = row('g1', 'retired', '/jobs/a.ts')
const LIVE = row('g2', 'live', '/jobs/a2.ts')

describe('the file of a generation', () => {
  it.each([
    ['a job that never ran', [], '/jobs/a.ts', undefined, '/jobs/a.ts'],
    ['the live one itself', [OLD, LIVE], '/jobs/a2.ts', undefined, '/jobs/a2.ts'],
    ['the file of the one that it took the place of', [OLD, LIVE], '/jobs/a.ts', undefined, '/jobs/a2.ts'],
    ['a file that is new', [OLD, LIVE], '/jobs/a3.ts', undefined, '/jobs/a3.ts'],
    ['a file that ranges were run with', [row('r', 'range', '/tmp/a.ts'), LIVE], '/tmp/a.ts', undefined, '/tmp/a.ts'],
    ['another generation', [OLD, LIVE], '/jobs/a2.ts', 'g1', '/jobs/a.ts'],
    ['a generation that is not there', [OLD, LIVE], '/jobs/a2.ts', 'g7', '/jobs/a2.ts'],
  ] as const)('is found for %s', (_, rows, named, generation, found) => {
    expect(jobFileOf(rows, named, generation)).toBe(found)
  })
})

function row(name: string, role: GenerationRow['role'], jobPath: string): GenerationRow {
  return { name, role, jobPath, bounds: null, published: true, createdAt: 0, lastToken: null }
}
