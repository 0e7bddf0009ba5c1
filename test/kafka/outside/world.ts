import { afterEach, beforeEach } from 'vitest'
import { Brokers } from '../../../src/adapters/kafka/connection/brokers.ts'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { type OutsideOptions, openOutside } from '../../../src/adapters/kafka/outside/open-outside.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Outside } from '../../../src/ports/outside.ts'
import { readAll } from '../../contract/log/records.ts'
import { kafkaBroker } from '../kafka-broker.ts'
import { testSettings } from '../support/settings.ts'

/** Brokers that a test makes worse than they are. */
export type Worsen = (brokers: Brokers) => Brokers

/** One test's topics and handles on the broker of the run. Call it in a describe. */
export interface OutsideWorld {
  /** The name that the test's topic, or job, has on the broker. */
  name(short: string): string
  log(): KafkaLog
  /** A way out of the test's job, as a process of its own has it. */
  outside(options?: Partial<OutsideOptions> & { readonly worsen?: Worsen; readonly retryForMs?: number }): Outside
  /** The keys that a reader of committed records sees in a partition. */
  keys(topic: string, partition?: number): Promise<readonly (string | null)[]>
}

let tests = 0

/** `bootstrapOf`: of other brokers than those that the whole run shares. */
export function outsideWorld(bootstrapOf: () => Promise<string> = () => kafkaBroker().bootstrap()): OutsideWorld {
  let bootstrap = ''
  let prefix = ''
  let handles: { close(): Promise<void> }[] = []
  let log: KafkaLog
  const name = (short: string) => prefix + short

  beforeEach(async () => {
    bootstrap = await bootstrapOf()
    prefix = `o${process.pid}-${Date.now()}-${++tests}-`
    log = new KafkaLog(testSettings(bootstrap), systemClock)
  })
  afterEach(async () => {
    for (const handle of handles) await handle.close()
    handles = []
    for (const topic of await log.describe()) {
      if (topic.name.replace(/^tidemark\./, '').startsWith(prefix)) await log.admin().delete(topic.name)
    }
    await log.close()
  })
  return {
    name,
    log: () => log,
    outside({ worsen = (brokers: Brokers) => brokers, retryForMs, job = 'job', key = 'live', ...options } = {}) {
      const settings = testSettings(bootstrap)
      const brokers = new Brokers({ ...settings, retryForMs: retryForMs ?? settings.retryForMs }, systemClock)
      const own = new KafkaLog(settings, systemClock)
      handles.push(brokers, own)
      return openOutside(worsen(brokers), own, { job: name(job), key, ...options })
    },
    async keys(topic, partition = 0) {
      return (await readAll(log, { topic: name(topic), partition })).map(({ key }) => key)
    },
  }
}
