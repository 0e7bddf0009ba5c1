import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance } from '../../e2e/crash/chance.ts'
import { SEED } from '../../e2e/crash/kills.ts'
import { type Outcome, outcome } from '../../e2e/crash/outcome.ts'
import { newStepFile, stepsTaken, until } from '../../e2e/crash/steps-taken.ts'
import { JOB } from '../../e2e/crash/till.ts'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import type { Cluster } from '../broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { comesTrue } from '../support/comes-true.ts'
import { foreignKafka } from '../support/foreign-producer.ts'
import { leaderOf } from '../support/leader-of.ts'
import { moveLeaders } from '../support/move-leaders.ts'
import { confirmOutside } from './confirm-outside.ts'
import { KafkaTill } from './kafka-till.ts'

const MOVES = 10
/** So many steps are more than a slice: the run has committed since. */
const BETWEEN = 20
const RUN = ['run', JOB, '--json']
const kafka = kafkaBroker()

describe.skipIf(kafka.ownMissing)('a run that goes on while leaders move', () => {
  const chance = new Chance(SEED)
  const input = workplace()
  const runs = workplace()
  let cluster: Cluster
  let till: KafkaTill
  let undisturbed: Outcome

  beforeAll(async () => {
    cluster = await kafka.cluster({ nodes: 3 })
    till = new KafkaTill(cluster.bootstrap, input, runs)
    await till.prepare()
    const chain = await till.chain()
    expect(await chain.start(RUN).ended).toMatchObject({ status: 0 })
    undisturbed = await outcome(chain)
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))

  /** A chain that runs alone and is disturbed now and then by `disturb`, while it runs; gives how often it went on after that. */
  async function disturbed(disturb: () => Promise<void>, times: number): Promise<number> {
    const chain = await till.chain()
    const steps = newStepFile(join(chain.folder, 'steps'))
    const run = chain.start(RUN, { TIDEMARK_STEP_FILE: steps })
    const entered = chance.from(5, 60)
    let wentOn = 0
    for (let going = await until(steps, run, (taken) => taken.length >= entered); going && wentOn < times; ) {
      await disturb()
      const taken = stepsTaken(steps).length
      going = await until(steps, run, (some) => some.length >= taken + BETWEEN)
      if (going) wentOn++
    }
    expect(await run.ended).toMatchObject({ status: 0, stdout: expect.any(String), stderr: expect.any(String) })
    const came = await outcome(chain)
    expect(came).toEqual(undisturbed)
    if (wentOn > 0) await confirmOutside(cluster.bootstrap, chain, came)
    return wentOn
  }

  it('comes to the same where the broker that leads its commits dies', { timeout: 300_000 }, async () => {
    const die = async () => {
      const leader = await leaderOf(cluster.bootstrap, till.commitTopic)
      await cluster.nodes[leader - 1]?.stop('SIGKILL')
      await comesTrue(
        'another leader',
        async () => ![leader, -1].includes(await leaderOf(cluster.bootstrap, till.commitTopic)),
      )
    }
    while ((await disturbed(die, 1)) === 0) await cluster.restart()
    await cluster.restart()
  })

  it(`comes to the same where all brokers live, ${MOVES} times`, { timeout: 300_000 }, async () => {
    const admin = foreignKafka(cluster.bootstrap).admin()
    await admin.connect()
    const move = async () => {
      const topics = await admin.listTopics()
      await moveLeaders(
        admin,
        topics.filter((topic) => till.has(topic) || topic === '__transaction_state'),
      )
    }
    try {
      for (let moves = 0; moves < MOVES; ) moves += await disturbed(move, MOVES - moves)
    } finally {
      await admin.disconnect()
    }
  })
})
