import { beforeAll, describe } from 'vitest'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../../kafka/kafka-broker.ts'
import { kafkaHarness } from './kafka-harness.ts'
import { logContract } from './log-contract.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('on a broker', { timeout: BROKER_TIMEOUT_MS }, () => {
  beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

  logContract(
    'the log of Apache Kafka',
    kafkaHarness(() => kafka.bootstrap()),
  )
})
