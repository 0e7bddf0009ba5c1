import { bytes, job, json, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { Chance } from '../../e2e/crash/chance.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { javaPartitions } from '../support/java-client.ts'
import { javaMissing } from '../support/java-writer.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()
const KNOWN = ['100:48069', 'wu', 'foobar', 'a', 'bob', '', 'ü', '日本', '😀', '\uffff'].map((key) => Buffer.from(key))

/** Keys of every length up to 40, of any bytes. */
function keys(): readonly Buffer[] {
  const chance = new Chance(5)
  const random = Array.from({ length: 400 }, (_, index) =>
    Buffer.from(Array.from({ length: index % 41 }, () => chance.from(0, 255))),
  )
  const all = [...KNOWN, ...random].map((key) => [key.toString('hex'), key] as const)
  return [...new Map(all).values()]
}

describe.skipIf(kafka.missing ?? javaMissing)("C5: a key's partition is where the Java client puts it", () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it.each([1, 2, 3, 10, 12])('of %i partitions', async (partitions) => {
    const field = new KafkaField(bootstrap)
    await field.make()
    const [ours, theirs] = [unique('ours'), unique('theirs')]
    for (const name of [ours, theirs]) await field.topic(name, partitions)
    const records = keys().map((key) => record(key.toString('latin1')))
    await field.log.admin().append([batchOf(field.at(), records)])
    const raw = (name: string) => topic(name, { key: bytes(), value: bytes() })
    await field.run(job(unique('passing'), {}, ({ stream }) => stream(raw(field.input)).to(raw(ours))))
    const written = await field.records(ours)
    const partitionOf = new Map(
      written.map(({ key, partition }) => [Buffer.from(key ?? []).toString('hex'), partition]),
    )
    const java = javaPartitions(
      bootstrap,
      keys().map((key) => ({ topic: theirs, key })),
    )
    expect(keys().map((key) => partitionOf.get(key.toString('hex')))).toEqual(java)
    expect(new Set(java).size).toBe(partitions)
  })
})

describe.skipIf(kafka.missing)('C5: joined topics whose keys lie in other partitions', () => {
  it.each([
    ['as another partitioner has put them', 12, 12, 0, 4],
    ['as there are fewer of them', 2, 3, 1, 0],
  ])('%s are joined', async (_, left, right, ofLeft, ofRight) => {
    const field = new KafkaField(await kafka.bootstrap())
    await field.make(left)
    const [names, out] = [unique('names'), unique('joined')]
    await field.topic(names, right)
    const numbers = topic(field.input, { key: string(), value: json<number>() })
    const table = topic(names, { key: string(), value: json<number>() })
    const joining = job(unique('joining'), {}, ({ stream, table: tableOf }) => {
      stream(numbers)
        .join(tableOf(table), (mine, its) => mine + its)
        .to(topic(out, { key: string(), value: json<number>() }))
    })
    await field.write(names, `p${ofRight} a→40 @1`)
    await field.write(field.input, `p${ofLeft} a→2 @2`)
    await field.run(joining)
    expect(await field.out(out)).toEqual(['a→42 @2'])
  })
})
