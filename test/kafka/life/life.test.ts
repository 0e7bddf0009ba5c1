import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import { Life } from '../../e2e/life/life.ts'
import { moves, selling } from '../../e2e/life/moves.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { kafkaBroker } from '../kafka-broker.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('a job on Kafka that is run in every way, killed, and loses its state', () => {
  const root = workplace()

  it('has the results of all of its input, and a history that can be done again', { timeout: 900_000 }, async () => {
    const env = { TIDEMARK_LOG: `kafka://${await kafka.bootstrap()}` }
    let deaths = 0
    await fc.assert(
      fc.asyncProperty(selling, moves({ losses: true }), async (first, all) => {
        const job = unique('shops')
        const topics = { purchases: `${job}-purchases`, totals: `${job}-totals`, even: `${job}-even` }
        const life = new Life(mkdtempSync(join(root.path, 'life-')), job, topics, env)
        await life.begin(first.purchases)
        for (const move of all) await life.make(move)
        await life.end(first.purchases)
        deaths += life.deaths
      }),
      { ...propertyRuns(1), endOnFailure: true },
    )
    expect(deaths).toBeGreaterThan(0)
  })
})
