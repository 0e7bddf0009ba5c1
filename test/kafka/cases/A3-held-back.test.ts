import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record, singles } from '../../contract/log/records.ts'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const JOB = fileURLToPath(new URL('../support/case-job.ts', import.meta.url))
const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('A3: an open transaction holds records back', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  const place = workplace()
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  async function held() {
    const field = new KafkaField(bootstrap)
    await field.make()
    await field.log.admin().append(
      singles(
        field.at(),
        ['a', 'a', 'a', 'a', 'a'].map((key) => record(key)),
      ),
    )
    const transaction = await field.transaction()
    await transaction.append([batchOf(field.at(), [record('b')])])
    await field.log.admin().append(singles(field.at(), [record('c')]))
    return { field, transaction }
  }

  it('the run ends before it, says how many, and the next one reads them', async () => {
    const { field, transaction } = await held()
    const first = await field.run(field.counting())
    expect(first).toMatchObject({ status: 'done', records: 5, heldBack: 2 })
    expect(field.positions()).toEqual([5])
    await transaction.commit()
    await field.reaches(8)
    const second = await field.run(field.counting())
    expect(second).toMatchObject({ records: 2, heldBack: 0 })
    expect(field.positions()).toEqual([8])
    expect(field.counts()).toEqual(['a=5', 'b=1', 'c=1'])
    await transaction.end()
  })

  it('a run that waits for it reads them once it is committed', async () => {
    const { field, transaction } = await held()
    let commit: Promise<void> | undefined
    const whileItWaits = {
      get asked() {
        commit ??= transaction.commit()
        return null
      },
      code: 'TERMINATED' as const,
    }
    const run = await field.run(field.counting({ waitForTransactions: '1m' }), { stop: whileItWaits })
    await commit
    expect(run).toMatchObject({ records: 7, heldBack: 0 })
    expect(field.counts()).toEqual(['a=5', 'b=1', 'c=1'])
    await transaction.end()
  })

  it('one that is told to wait on the command line waits no longer than that', async () => {
    const { field, transaction } = await held()
    const report = await place.run(
      ['run', JOB, '--json', '--log', `kafka://${bootstrap}`, '--wait-for-transactions', '300ms'],
      { CASE_NAME: field.input.slice('in-'.length) },
    )
    expect(report).toMatchObject({ status: 0, stderr: expect.any(String) })
    expect(JSON.parse(report.stdout)).toMatchObject({ records: 5, heldBack: 2 })
    await transaction.end()
  })

  it('a job that reads uncommitted records reads all', async () => {
    const { field, transaction } = await held()
    expect((await field.run(field.counting({ isolation: 'read_uncommitted' }))).records).toBe(7)
    expect(field.positions()).toEqual([7])
    await transaction.end()
  })
})
