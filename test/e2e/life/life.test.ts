import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { workplace } from '../helpers/tidemark.ts'
import { Life } from './life.ts'
import { moves, selling } from './moves.ts'

const TOPICS = { purchases: 'purchases', totals: 'totals', even: 'even' }

describe('a job that is run in every way, and killed', () => {
  const root = workplace()

  it('has the results of all of its input, and a history that can be done again', { timeout: 600_000 }, async () => {
    let deaths = 0
    await fc.assert(
      fc.asyncProperty(selling, moves({ losses: false }), async (first, all) => {
        const life = new Life(mkdtempSync(join(root.path, 'life-')), 'shops', TOPICS, {})
        await life.begin(first.purchases)
        for (const move of all) await life.make(move)
        await life.end(first.purchases)
        deaths += life.deaths
      }),
      { ...propertyRuns(2), endOnFailure: true },
    )
    expect(deaths).toBeGreaterThan(0)
  })
})
