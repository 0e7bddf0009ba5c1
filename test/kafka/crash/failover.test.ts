import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance } from '../../e2e/crash/chance.ts'
import { SEED } from '../../e2e/crash/kills.ts'
import { type Outcome, outcome } from '../../e2e/crash/outcome.ts'
import { newStepFile, stepsTaken, until } from '../../e2e/crash/steps-taken.ts'
import { JOB } from '../../e2e/crash/till.ts'
import { type Started, workplace } from '../../e2e/helpers/tidemark.ts'
import type { Cluster } from '../broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { comesTrue } from '../support/comes-true.ts'
import { leaderOf } from '../support/leader-of.ts'
import { confirmOutside } from './confirm-outside.ts'
import { KafkaTill } from './kafka-till.ts'

/** So many steps are several slices. */
const UNDER_ANOTHER = 20
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
      if (nodes === 1) await cluster.nodes[0]?.stop('SIGKILL')
      else await moveLeader(cluster, till.commitTopic, { ...run, steps })
      await cluster.restart()
      run.child.kill('SIGCONT')
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

/**
 * Kills the broker that leads the partition where a run commits, and resolves when the run has gone on for a while under
 * another leader. The run stands still then, and before that while there is no leader: it would be done too soon.
 */
async function moveLeader(
  { nodes, bootstrap }: Cluster,
  topic: string,
  run: Started & { readonly steps: string },
): Promise<void> {
  const leader = await leaderOf(bootstrap, topic)
  await nodes[leader - 1]?.stop('SIGKILL')
  run.child.kill('SIGSTOP')
  await comesTrue('another leader', async () => ![leader, -1].includes(await leaderOf(bootstrap, topic)))
  const taken = stepsTaken(run.steps).length
  run.child.kill('SIGCONT')
  const wentOn = await until(run.steps, run, (steps) => steps.length >= taken + UNDER_ANOTHER)
  run.child.kill('SIGSTOP')
  expect(wentOn, 'it did not go on under another leader').toBe(true)
  expect(await leaderOf(bootstrap, topic)).not.toBe(leader)
}
