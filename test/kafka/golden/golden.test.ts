import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job } from 'tidemark'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import carrierDelays from '../../../jobs/carrier-delays.ts'
import customers from '../../../jobs/customers.ts'
import windDelays from '../../../jobs/wind-delays.ts'
import { COMMIT_STEPS, type CommitStep } from '../../../src/ports/steps.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { sinkTopic } from '../../../src/runtime/sinks.ts'
import { goldenText } from '../../golden/support/golden-text.ts'
import { importShipped } from '../../golden/support/shipped-data.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { expectVerified } from '../../laws/support/verified.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { type KafkaWorld, kafkaWorld } from '../laws/kafka-world.ts'
import { expectReadAlike } from '../support/read-alike.ts'

const DATA = fileURLToPath(new URL('../../../jobs/data', import.meta.url))
const kafka = kafkaBroker()

/** Jobs, with slices so small that there are several. */
const CASES: readonly { readonly job: Job; readonly sliceRecords: number }[] = [
  { job: carrierDelays, sliceRecords: 3000 },
  { job: windDelays, sliceRecords: 3000 },
  { job: customers, sliceRecords: 1 },
]

const run = async (env: Environment, job: Job) => {
  await new Runner(env).run({ job, path: `jobs/${job.name}.ts`, hash: 'hash' }, { trigger: 'test' })
}

const WAYS: Readonly<Record<string, (world: KafkaWorld, job: Job, sliced: Job) => Promise<void>>> = {
  whole: (world, job) => run(world.process(), job),
  sliced: (world, _, sliced) => run(world.process(), sliced),
  crashed: async (world, _, sliced) => {
    for (const step of COMMIT_STEPS) await crash(world, sliced, step)
    await run(world.process(), sliced)
  },
}

async function crash(world: KafkaWorld, job: Job, step: CommitStep): Promise<void> {
  const { env, died } = mortal(world.process(), { step, nth: 1 })
  await expect(run(env, job), `a run that dies before ${step}`).rejects.toThrow('the process is dead')
  expect(died()).toBe(true)
  world.crash()
}

/** Its topics of results. */
function outputsOf({ topology }: Job): readonly string[] {
  return topology.nodes.flatMap((node) => sinkTopic(node) ?? [])
}

describe.skipIf(kafka.missing)('the shipped jobs come to the same on a broker as on any log', () => {
  let bootstrap = ''
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-golden-'))
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe.each(CASES.map((golden) => ({ name: golden.job.name, ...golden })))('$name', ({ job, sliceRecords }) => {
    it.each(Object.entries(WAYS))('%s', { timeout: 120_000 }, async (_, act) => {
      const world = kafkaWorld(bootstrap)
      try {
        await importShipped(job.name, DATA, world.process().log, folder)
        await act(world, job, { ...job, settings: { ...job.settings, sliceRecords } })
        const text = await goldenText(world.process(), job)
        await expect(text).toMatchFileSnapshot(`../../golden/${job.name}.golden`)
        await expectVerified(world.process(), job)
      } finally {
        await world.end()
      }
    })

    it('and kafkajs and the Java client read the same of it', { timeout: 120_000 }, async () => {
      const world = kafkaWorld(bootstrap)
      const sliced = { ...job, settings: { ...job.settings, sliceRecords } }
      try {
        await importShipped(job.name, DATA, world.process().log, folder)
        await crash(world, sliced, 'send') // its topics are made then
        // kafkajs stands still at a batch of which compaction has left no record, where a fetch gives no more than that
        const settings = { 'min.cleanable.dirty.ratio': '1.0' }
        for (const topic of outputsOf(job)) await world.process().log.admin().alter(topic, { settings })
        await WAYS.crashed?.(world, job, sliced)
        await expectReadAlike(
          bootstrap,
          outputsOf(job).map((topic) => `${world.prefix}${topic}`),
        )
      } finally {
        await world.end()
      }
    })
  })
})
