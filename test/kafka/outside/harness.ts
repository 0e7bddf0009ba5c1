import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { type LogHarness, unable } from '../../contract/log/harness.ts'
import { kafkaBroker } from '../kafka-broker.ts'
import { testSettings } from '../support/settings.ts'

let made = 0

/** The broker of the run, under names that no other test has. */
export const kafkaHarness: LogHarness = {
  async make() {
    const settings = testSettings(await kafkaBroker().bootstrap())
    const unique = `-${process.pid}-${Date.now()}-${++made}`
    return {
      open: async () => new KafkaLog(settings, systemClock),
      name: (topic) => topic + unique,
      skip: unable('skip'),
      truncate: unable('truncate'),
      transaction: unable('transactions'),
      dispose: async () => {},
    }
  },
}
