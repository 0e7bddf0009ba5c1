import { beforeAll, describe, expect, it } from 'vitest'
import { record, singles } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

// The other half of A9, a compaction hole at the start, stands with A2: both wait for the broker to compact.
describe.skipIf(kafka.missing)('A9: a trimmed start is a loss', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('stops the run, with the checkpoint as it was', async () => {
    const field = new KafkaField(bootstrap)
    await field.make()
    await field.run(field.counting())
    await field.log.admin().append(
      singles(
        field.at(),
        Array.from({ length: 10 }, () => record('a')),
      ),
    )
    await field.log.admin().trim(field.at(), 7)
    const error = await field.fail(field.counting())
    expect(error).toMatchObject({ code: 'INPUT_LOST', exit: 66, message: expect.stringMatching(/7 offsets/) })
    expect(field.positions()).toEqual([0])
    expect((await field.run(field.counting(), { onDataLoss: 'skip' })).records).toBe(3)
    expect(field.positions()).toEqual([10])
  })
})
