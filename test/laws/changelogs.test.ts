import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { fill, resultOf, run } from './support/play.ts'
import { CASE } from './support/random-case.ts'
import { diskless, WORLDS } from './support/worlds.ts'

it('a state that is lost after every run comes back from its changelogs, and nothing is lost or late', async () => {
  await fc.assert(
    fc.asyncProperty(CASE, fc.array(fc.nat(120), { minLength: 1, maxLength: 4 }), async (randomCase, times) => {
      const kept = WORLDS['memory']!()
      await fill(kept.process().log, randomCase, 1)
      const lost = diskless()
      await fill(lost.process().log, randomCase, 1)
      const cuts = [...times].sort((a, b) => a - b).map((time) => `@${time}`)
      for (const to of [...cuts, 'latest']) {
        await run(kept.process(), randomCase, { to })
        await run(lost.process(), randomCase, { to })
      }
      const last = lost.process()
      await run(last, randomCase)
      const { stores, streams, tables } = await resultOf(last, randomCase)
      const { counts: _, ...expected } = await resultOf(kept.process(), randomCase)
      expect({ stores, streams, tables }).toEqual(expected)
    }),
    propertyRuns(60),
  )
})
