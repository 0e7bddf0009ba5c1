import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyJob } from '../../src/runtime/history/verify-job.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { mortal } from './support/mortal.ts'
import { append, fill, resultOf, run } from './support/play.ts'
import { CASE, jobOf } from './support/random-case.ts'
import { replay } from './support/replay.ts'
import { expectVerified } from './support/verified.ts'
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

/** Three records that are counted, a slice for each. */
const counted = () => {
  const records = ['a', 'b', 'a'].map((key, n) => {
    return { topic: 'in' as const, partition: 0, key, value: { n, group: 'x' }, timestamp: n }
  })
  const spec = { shape: 'count', size: 5, advance: 5, grace: 0, sliceRecords: 1, cacheEntries: 10 } as const
  return { spec, partitions: 1, records }
}

it('a state that was restored has its history from there on, and what went before is one range', async () => {
  const world = diskless()
  const randomCase = counted()
  await fill(world.process().log, randomCase, 1)
  await run(world.process(), randomCase)
  await append(world.process().log, randomCase.records, 1)
  const env = world.process()
  await run(env, randomCase)
  const loaded = { job: jobOf(randomCase.spec), path: 'random.ts', hash: 'hash' }
  const { runs, same, notices } = await verifyJob(env, loaded, { generation: 'g1' })
  expect(runs).toMatchObject([{ verdict: 'same', records: 3 }])
  expect([same, notices.join()]).toEqual([true, expect.stringContaining('restored from changelogs')])
  await world.end()
})

it('a run that was restored in the middle of its range is verified from there on', async () => {
  const world = diskless()
  const randomCase = counted()
  await fill(world.process().log, randomCase, 1)
  const { env: dying } = mortal(world.process(), { step: 'process', nth: 3 })
  await expect(run(dying, randomCase)).rejects.toThrow('the process is dead')
  const env = world.process()
  expect(await run(env, randomCase)).toMatchObject([{ records: 1 }])
  await expectVerified(env, jobOf(randomCase.spec))
  await replay(env, randomCase)
  await expectVerified(env, jobOf(randomCase.spec), 1, 'again')
  await world.end()
})
