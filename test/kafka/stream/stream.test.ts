import { afterAll, beforeAll, describe } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { startIn, workplace } from '../../e2e/helpers/tidemark.ts'
import { streamTests } from '../../e2e/stream/stream-tests.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { unique } from '../support/logs.ts'
import { testSettings } from '../support/settings.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('a stream on Kafka', () => {
  const { path } = workplace()
  const suffix = unique('-stream')
  let bootstrap = ''
  let log: KafkaLog

  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
    log = new KafkaLog(testSettings(bootstrap), systemClock)
  }, BROKER_TIMEOUT_MS)
  afterAll(() => log?.close())

  streamTests(async () => {
    const here = { TIDEMARK_LOG: `kafka://${bootstrap}`, TALLY_SUFFIX: suffix }
    return { folder: path, suffix, start: (args, env = {}) => startIn(path, args, { ...here, ...env }), log: () => log }
  })
})
