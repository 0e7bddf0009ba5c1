import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance } from '../../e2e/crash/chance.ts'
import { SEED } from '../../e2e/crash/kills.ts'
import { type Outcome, outcome } from '../../e2e/crash/outcome.ts'
import { newStepFile, until } from '../../e2e/crash/steps-taken.ts'
import { JOB } from '../../e2e/crash/till.ts'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import type { Cluster } from '../broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { confirmOutside } from './confirm-outside.ts'
import { KafkaTill } from './kafka-till.ts'

const RUN = ['run', JOB, '--json']
const kafka = kafkaBroker()

describe.skipIf(kafka.ownMissing).each([
  { title: 'whose broker is killed and started again', nodes: 1, kills: 10 },
  { title: 'whose leaders move because their broker is killed', nodes: 3, kills: 6 },
] as const)('a run on Kafka $title', ({ nodes, kills }) => {
  const input = workplace()
  const runs = workplace()
  let cluster: Cluster
  let till: KafkaTill
  let undisturbed: Outcome

  beforeAll(async () => {
    cluster = await kafka.cluster({ nodes })
    till = new KafkaTill(cluster.bootstrap, input, runs)
    await till.prepare()
    const chain = await till.chain()
    expect(await chain.start(RUN).ended).toMatchObject({ status: 0 })
    undisturbed = await outcome(chain)
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))

  it(`goes on to the same end, ${kills} times`, { timeout: 60_000 + kills * 30_000 }, async () => {
    const chance = new Chance(SEED)
    const chain = await till.chain()
    const steps = newStepFile(join(chain.folder, 'steps'))
    const run = chain.start(RUN, { TIDEMARK_STEP_FILE: steps })
    for (let kill = 0; kill < kills; kill++) {
      const entered = kill * 40 + chance.from(1, 35)
      expect(await until(steps, run, (taken) => taken.length >= entered)).toBe(true)
      await cluster.nodes[kill % nodes]?.stop('SIGKILL')
      await cluster.restart()
    }
    expect(await run.ended).toMatchObject({ status: 0, stderr: expect.any(String), stdout: expect.any(String) })
    const came = await outcome(chain)
    expect(came).toEqual(undisturbed)
    await confirmOutside(cluster.bootstrap, chain, came)
  })

  it.skipIf(nodes > 1)('ends with status 69 where the broker stays away, and loses nothing', async () => {
    const chance = new Chance(SEED)
    const chain = await till.chain()
    const impatient = { TIDEMARK_KAFKA_RETRY_FOR: '2s', TIDEMARK_KAFKA_CONNECT_TIMEOUT: '2s' }
    const steps = newStepFile(join(chain.folder, 'steps'))
    const run = chain.start(RUN, { ...impatient, TIDEMARK_STEP_FILE: steps })
    const entered = chance.from(20, 200)
    expect(await until(steps, run, (taken) => taken.length >= entered)).toBe(true)
    await cluster.stop('SIGKILL')
    const { status, stderr, stdout } = await run.ended
    expect({ status, stderr }).toMatchObject({ status: 69, stderr: expect.stringContaining('LOG_UNREACHABLE') })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code: 'LOG_UNREACHABLE' } })
    expect(await chain.start(RUN, impatient).ended).toMatchObject({ status: 69 })
    await cluster.restart()
    expect(await chain.start(RUN).ended).toMatchObject({ status: 0 })
    expect(await outcome(chain)).toEqual(undisturbed)
  })
})
