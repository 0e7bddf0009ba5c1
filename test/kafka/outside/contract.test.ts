import { beforeAll, describe } from 'vitest'
import { kafkaHarness } from '../../contract/log/kafka-harness.ts'
import { outsideContract } from '../../contract/outside/outside-contract.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('on a broker', () => {
  beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

  outsideContract(
    'the way out to Apache Kafka',
    kafkaHarness(() => kafka.bootstrap()),
  )
})
