import { type Job, job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { OUT } from './support/jobs.ts'

interface Row {
  readonly fk: string | null
}

const lefts = topic('lefts', { key: string(), value: json<Row>() })
const rights = topic('rights', { key: string(), value: string() })

const inner = job('inner', {}, ({ table }) => {
  table(lefts)
    .join(
      table(rights),
      ({ fk }) => fk,
      (_, other) => other,
      'joined',
    )
    .toStream()
    .to(OUT)
})

const left = job('left', {}, ({ table }) => {
  table(lefts)
    .leftJoin(
      table(rights),
      ({ fk }) => fk,
      (_, other) => ({ other }),
      'joined',
    )
    .toStream()
    .to(OUT)
})

const STEPS = [
  ['rights', '1→one'],
  ['lefts', 'k→{"fk":"1"}'],
  ['lefts', 'k→{"fk":null}'],
  ['lefts', 'k→{"fk":"1"}'],
  ['lefts', 'k→{"fk":"2"}'],
  ['rights', '2→two'],
  ['rights', '1→uno'],
  ['lefts', 'k→∅'],
] as const

/** What each step sends, with a run for each. */
async function played(world: string, joined: Job, partitions: number): Promise<readonly (readonly string[])[]> {
  const field = new Field(world)
  await field.topic('lefts', partitions)
  await field.topic('rights', partitions)
  const sent: string[][] = []
  let before = 0
  for (const [name, record] of STEPS) {
    await field.write(name, record)
    await field.run(joined)
    const out = await field.out('out')
    sent.push(out.slice(before).map((note) => note.replace(/^k→(.*) @0$/, '$1')))
    before = out.length
  }
  expect(field.store(joined, 'joined-subscriptions')).toEqual([])
  return sent
}

describe.each(['memory', 'embedded'])('C7: a join by foreign key (%s)', (world) => {
  it.each([1, 3])(
    'retracts what a changed or cleared key had given, and sends one delete (%i partitions)',
    async (n) => {
      expect(await played(world, inner, n)).toEqual([[], ['"one"'], ['∅'], ['"one"'], ['∅'], ['"two"'], [], ['∅']])
    },
  )

  it.each([1, 3])('keeps left rows without a key or a match in a left join (%i partitions)', async (n) => {
    const [one, two, none] = ['{"other":"one"}', '{"other":"two"}', '{"other":null}']
    expect(await played(world, left, n)).toEqual([[], [one], [none], [one], [none], [two], [], ['∅']])
  })
})
