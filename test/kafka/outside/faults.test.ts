import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Brokers } from '../../../src/adapters/kafka/connection/brokers.ts'
import { findCoordinatorRequest } from '../../../src/adapters/kafka/protocol/find-coordinator.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { commitAfter, deliver, delivery, plain } from '../../contract/outside/commits.ts'
import type { BrokerProcess } from '../broker/broker-process.ts'
import type { Cluster } from '../broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { testSettings } from '../support/settings.ts'
import { outsideWorld } from './world.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.ownMissing)('a way out to one broker that fails', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await kafka.cluster()
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))
  const { name, log, outside, keys } = outsideWorld(async () => cluster.bootstrap)
  const batch = (key: string, partition = 0) => batchOf({ topic: name('out'), partition }, [record(key)])
  const make = () =>
    log()
      .admin()
      .create({ name: name('out'), partitions: 2 })

  /** The broker dies at once, and comes back while `work` waits for it. */
  async function interrupted(work: () => Promise<void>): Promise<void> {
    await cluster.stop('SIGKILL')
    await Promise.all([work(), cluster.restart()])
  }

  it(
    'waits for it in the middle of a slice and at its commit',
    async () => {
      await make()
      const out = outside()
      await out.claim(delivery('A'), 0, false)
      const first = commitAfter(null, 'A')
      await out.begin()
      await out.send([batch('a'), batch('x', 1)])
      await interrupted(() => out.send([batch('b'), batch('c')]))
      await out.acknowledged()
      await interrupted(() => out.commit(first))
      const second = commitAfter(first, 'A')
      await deliver(out, [batch('d'), batch('y', 1)], second)
      expect(await keys('out')).toEqual(['a', 'b', 'c', 'd'])
      expect(await keys('out', 1)).toEqual(['x', 'y'])
      expect(plain(await outside().read())).toEqual(plain(second))
    },
    BROKER_TIMEOUT_MS,
  )
})

describe.skipIf(kafka.ownMissing)('a way out to three brokers of which one fails', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await kafka.cluster({ nodes: 3 })
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))
  const { name, log, outside, keys } = outsideWorld(async () => cluster.bootstrap)

  it(
    'finds the new coordinator, and the new leaders',
    async () => {
      const partitions = [0, 1, 2, 3, 4, 5]
      await log()
        .admin()
        .create({ name: name('out'), partitions: partitions.length })
      const batches = (key: string) =>
        partitions.map((partition) => batchOf({ topic: name('out'), partition }, [record(key)]))
      const out = outside()
      await out.claim(delivery('A'), 0, false)
      await out.begin()
      await out.send(batches('before'))
      await (await coordinator()).stop('SIGKILL')
      await out.send(batches('after'))
      await out.acknowledged()
      const first = commitAfter(null, 'A')
      await out.commit(first)
      const second = commitAfter(first, 'A')
      await deliver(out, batches('next'), second)
      for (const partition of partitions) expect(await keys('out', partition)).toEqual(['before', 'after', 'next'])
      expect(plain(await outside().read())).toEqual(plain(second))
    },
    BROKER_TIMEOUT_MS,
  )

  /** The broker that decides the job's transactions; it leads some of the partitions too. */
  async function coordinator(): Promise<BrokerProcess> {
    const brokers = new Brokers(testSettings(cluster.bootstrap), systemClock)
    const { nodeId } = await brokers.any(findCoordinatorRequest(`tidemark.${name('job')}`))
    await brokers.close()
    return cluster.nodes[nodeId - 1] as BrokerProcess
  }
})
