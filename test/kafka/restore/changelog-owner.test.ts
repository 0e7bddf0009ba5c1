import { afterEach, beforeAll, describe } from 'vitest'
import { changelogsHaveOneOwner } from '../../unit/changelogs/owned-by.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { type KafkaWorld, kafkaWorld } from '../laws/kafka-world.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('a changelog on a broker', () => {
  const worlds: KafkaWorld[] = []
  let bootstrap: string

  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.end()
  })

  changelogsHaveOneOwner(async () => {
    const world = kafkaWorld(bootstrap)
    worlds.push(world)
    return world
  })
})
