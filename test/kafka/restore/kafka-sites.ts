import { afterEach, beforeAll } from 'vitest'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaSite } from './kafka-site.ts'

/** Makes sites on the broker of the run, and clears them away after each test. Call it in a describe. */
export function kafkaSites(): (partitions?: number) => Promise<KafkaSite> {
  let bootstrap = ''
  const open: KafkaSite[] = []
  beforeAll(async () => {
    bootstrap = await kafkaBroker().bootstrap()
  }, BROKER_TIMEOUT_MS)
  afterEach(async () => {
    for (const site of open.splice(0)) await site.world.end()
  })
  return async (partitions) => {
    const site = await KafkaSite.open(bootstrap, partitions)
    open.push(site)
    return site
  }
}
