import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { javaMissing, javaWrites } from '../support/java-writer.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing ?? javaMissing)(
  'A4: records of aborted transactions, written by the Java client',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let bootstrap = ''
    beforeAll(async () => {
      bootstrap = await kafka.bootstrap()
    }, BROKER_TIMEOUT_MS)

    /** The first input: T2 lies in T1 and ends first. */
    const OVERLAP = [
      'send T1 none 1 a 1',
      'send T2 none 2 b 1',
      'abort T2',
      'await 3',
      'send T1 none 3 c 1',
      'abort T1',
    ]
    /** The second: a range that starts at 1 or 2 starts inside both. */
    const INSIDE = ['send T1 none 1 a 1', 'send T2 none 2 b 1', 'send T2 none 3 c 1', 'abort T1', 'await 4', 'abort T2']

    async function written(commands: readonly string[], end: number): Promise<KafkaField> {
      const field = new KafkaField(bootstrap)
      await field.make()
      javaWrites(bootstrap, field.input, commands)
      await field.reaches(end)
      return field
    }

    it('none is read where they overlap, and the run ends behind the last marker', async () => {
      const field = await written(OVERLAP, 5)
      expect(await field.read(0, 5)).toEqual([])
      for (const from of [1, 2, 3, 4]) expect(await field.read(from, 5)).toEqual([])
      expect(await field.read(0, 5, 'read_uncommitted')).toEqual(['0a=1', '1b=1', '3c=1'])
      expect((await field.run(field.counting())).records).toBe(0)
      expect(field.positions()).toEqual([5])
      expect(field.counts()).toEqual([])
    })

    it('none is read where the range starts inside them', async () => {
      const field = await written(INSIDE, 5)
      for (const from of [0, 1, 2, 3, 4]) expect(await field.read(from, 5)).toEqual([])
      for (const from of ['1', '2']) {
        const run = await field.run(field.counting(), { from, to: '5', as: `from-${from}` })
        expect(run).toMatchObject({ records: 0, status: 'done' })
        expect(field.positions(`from-${from}`)).toEqual([5])
      }
    })

    it('what the same producers commit afterwards is read', async () => {
      const again = [...OVERLAP, 'await 5', 'send T1 none 4 d 1', 'commit T1', 'await 7', 'send P none 5 e 1']
      const field = await written(again, 8)
      for (const from of [0, 1, 4, 5]) expect(await field.read(from, 8)).toEqual(['5d=1', '7e=1'])
      expect(await field.read(6, 8)).toEqual(['7e=1'])
    })
  },
)

describe.skipIf(kafka.missing)('A4: the same by another client', { timeout: BROKER_TIMEOUT_MS }, () => {
  it('none is read, wherever the range starts and however it is fetched', async () => {
    const field = new KafkaField(await kafka.bootstrap())
    await field.make()
    const transactions = [await field.transaction(), await field.transaction(), await field.transaction()]
    const [t1, t2, t3] = transactions as [(typeof transactions)[0], (typeof transactions)[0], (typeof transactions)[0]]
    await t1.append([batchOf(field.at(), [record('a'), record('\0\0\0\0')])])
    await t2.append([batchOf(field.at(), [record('b')])])
    await t3.append([batchOf(field.at(), [record('c')])])
    await t2.abort()
    await field.reaches(5)
    await t1.append([batchOf(field.at(), [record('d')])])
    await t3.commit()
    await field.reaches(7)
    await t1.abort()
    await field.reaches(8)
    for (let from = 0; from <= 8; from++) expect(await field.read(from, 8)).toEqual(from <= 3 ? ['3c=1'] : [])
    for (const transaction of transactions) await transaction.end()
  })
})
