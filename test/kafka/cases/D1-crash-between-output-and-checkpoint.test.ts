import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, readAll, record } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { MachineJob } from '../support/machine.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)(
  'D1: a run that is killed between its output and its checkpoint',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

    it.each([
      ['when the outputs are sent', 'acknowledge', 4],
      ['when they are acknowledged, before the state is committed', 'store-commit', 4],
      ['when the state is committed, before the outputs are', 'outside-commit', 0],
      ['when both are, before it ends', 'delivered', 0],
    ])('%s', async (_, step, recordsOfRerun) => {
      const job = new MachineJob(await kafka.bootstrap())
      const at = { topic: job.input, partition: 0 }
      await job.log.admin().create({ name: job.input, partitions: 1 })
      await job.log.admin().append([
        batchOf(
          at,
          ['a', 'a', 'b', 'a'].map((key) => record(key)),
        ),
      ])
      const machine = job.machine()
      const killed = machine.run([], { TIDEMARK_STEP_HOLD: `${step}@1` })
      await machine.appears(killed.steps, 'holding')
      killed.child.kill('SIGKILL')
      expect(await killed.ended).toMatchObject({ status: null })

      const { status, stdout, stderr } = await machine.run().ended
      expect({ status, stderr }).toMatchObject({ status: 0 })
      expect(JSON.parse(stdout)).toMatchObject({ status: 'done', records: recordsOfRerun })
      expect(machine.state()).toEqual({ counts: ['a=3', 'b=1'], next: 4 })
      const output = await readAll(job.log, { topic: job.output, partition: 0 })
      expect(output.map(({ key, value }) => `${key}=${value}`)).toEqual(['a=1', 'a=2', 'b=1', 'a=3'])
    })
  },
)
