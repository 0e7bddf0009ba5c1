import { beforeAll, describe, expect, it } from 'vitest'
import { brokersKnown } from './broker/brokers-known.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('the broker for tests', () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('is one for all suites of a run', async () => {
    expect(await kafkaBroker().bootstrap()).toBe(bootstrap)
    expect(await brokersKnown(Number(bootstrap.split(':')[1]))).toBeGreaterThan(0)
  })
})

describe.skipIf(kafka.ownMissing)('three brokers', () => {
  it(
    'know each other, lose one, and take it back',
    async () => {
      const cluster = await kafka.cluster({ nodes: 3 })
      const [first] = cluster.nodes
      await first?.stop('SIGKILL')
      expect(first?.pid).toBeUndefined()
      await cluster.answers()
      await cluster.restart()
      expect(cluster.nodes.map(({ pid }) => pid !== undefined)).toEqual([true, true, true])
      await cluster.stop('SIGKILL')
    },
    BROKER_TIMEOUT_MS,
  )
})
