import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job } from 'tidemark'
import { afterAll, describe, expect, it } from 'vitest'
import carrierDelays from '../../jobs/carrier-delays.ts'
import customers from '../../jobs/customers.ts'
import windDelays from '../../jobs/wind-delays.ts'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import type { Environment } from '../../src/runtime/environment.ts'
import { Runner } from '../../src/runtime/runner.ts'
import { mortal } from '../laws/support/mortal.ts'
import { expectVerified } from '../laws/support/verified.ts'
import { WORLDS, type World } from '../laws/support/worlds.ts'
import { goldenText } from './support/golden-text.ts'
import { importShipped } from './support/shipped-data.ts'

const DATA = fileURLToPath(new URL('../../jobs/data', import.meta.url))

interface Case {
  readonly job: Job
  /** So small that there are many slices. */
  readonly sliceRecords: number
  /** Times in the midst of the data, where ranges end. */
  readonly cuts: readonly string[]
}

const JANUARY = ['2013-01-01T12:00Z', '2013-01-10', '2013-01-10T01:00Z', '2013-01-31T23:00Z']
const CASES: readonly Case[] = [
  { job: carrierDelays, sliceRecords: 997, cuts: JANUARY },
  { job: windDelays, sliceRecords: 997, cuts: JANUARY },
  { job: customers, sliceRecords: 1, cuts: ['2026-01-01T12:00Z', '2026-01-05T09:15Z', '2026-01-06'] },
]

const run = async (env: Environment, job: Job, to = 'latest') => {
  await new Runner(env).run({ job, path: `jobs/${job.name}.ts`, hash: 'hash' }, { trigger: 'test', to })
}

const inSlices = ({ job, sliceRecords }: Case): Job => ({ ...job, settings: { ...job.settings, sliceRecords } })

/** The ways to run a job, which all come to the same. */
const WAYS: Readonly<Record<string, (world: World, golden: Case) => Promise<void>>> = {
  whole: async (world, { job }) => run(world.process(), job),
  sliced: async (world, golden) => run(world.process(), inSlices(golden)),
  'in ranges': async (world, { job, cuts }) => {
    for (const to of [...cuts, 'latest']) await run(world.process(), job, to)
    await expectVerified(world.process(), job)
  },
  crashed: async (world, golden) => {
    for (const step of COMMIT_STEPS) {
      const { env, died } = mortal(world.process(), { step, nth: 2 })
      await expect(run(env, inSlices(golden)), `a run that dies before ${step}`).rejects.toThrow('the process is dead')
      expect(died()).toBe(true)
      world.crash()
    }
    await run(world.process(), inSlices(golden))
    await expectVerified(world.process(), golden.job)
  },
}

describe.each(CASES.map((golden) => ({ name: golden.job.name, golden })))('$name', ({ golden }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-golden-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe.each(Object.entries(WORLDS))('on the %s adapter', (_, makeWorld) => {
    it.each(Object.entries(WAYS))('%s', { timeout: 120_000 }, async (_way, act) => {
      const world = makeWorld()
      try {
        await importShipped(golden.job.name, DATA, world.process().log, folder)
        await act(world, golden)
        const text = await goldenText(world.process(), golden.job)
        await expect(text).toMatchFileSnapshot(`./${golden.job.name}.golden`)
      } finally {
        await world.end()
      }
    })
  })
})
