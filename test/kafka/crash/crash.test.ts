import { beforeAll, describe } from 'vitest'
import { crashTests } from '../../e2e/crash/crash-tests.ts'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { confirmOutside } from './confirm-outside.ts'
import { KafkaTill } from './kafka-till.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('a run on Kafka that is killed and started again', () => {
  const input = workplace()
  const runs = workplace()
  let till: KafkaTill

  beforeAll(async () => {
    till = new KafkaTill(await kafka.bootstrap(), input, runs)
  }, BROKER_TIMEOUT_MS)

  crashTests({
    prepare: () => till.prepare(),
    chain: () => till.chain(),
    check: (chain, came) => confirmOutside(till.bootstrap, chain, came),
  })
})
