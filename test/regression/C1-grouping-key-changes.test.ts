import { job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, open } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

const users = open<string>('users')

function headcount() {
  return new PipedJob(({ table }) => {
    table(users)
      .groupBy((city, user) => [city, user], string())
      .count('headcount')
      .toStream()
      .to(anyOut)
  })
}

const MOVES = [
  { record: { key: 'u1', value: 'NYC' }, out: [['NYC', 1]] },
  {
    record: { key: 'u1', value: 'SFO' },
    out: [
      ['NYC', 0],
      ['SFO', 1],
    ],
  },
  { record: { key: 'u1', value: 'SFO' }, out: [['SFO', 1]] },
  { record: { key: 'u1', value: null }, out: [['SFO', 0]] },
  { record: { key: 'u9', value: null }, out: [] },
] as const

it.each([
  { name: 'in one run', restarts: false },
  { name: 'with a run for each record', restarts: true },
])('the old group loses the row before the new one gets it, $name', ({ restarts }) => {
  const piped = headcount()
  for (const { record, out } of MOVES) {
    expect(piped.pipe(users, record).map(({ key, value }) => [key, value])).toEqual(out)
    if (restarts) piped.restart()
  }
  expect(piped.store('headcount')).toEqual([
    ['NYC', 0],
    ['SFO', 0],
  ])
})

/** Every way to put run boundaries between five records: true before a record that begins a run. */
const BOUNDARIES = Array.from({ length: 2 ** 4 }, (_, bits) => [0, 1, 2, 3].map((at) => (bits & (1 << at)) !== 0))

describe.each(['memory', 'embedded'])('C1 in runs (%s)', (world) => {
  const counting = job('counting', {}, ({ table }) => {
    table(users)
      .groupBy((city, user) => [city, user], string())
      .count('headcount')
      .toStream()
      .to(anyOut)
  })

  it('gives the same wherever runs end, and never a number below 0', async () => {
    for (const boundaries of BOUNDARIES) {
      const field = new Field(world)
      await field.topic('users')
      for (const [at, { record }] of MOVES.entries()) {
        if (at > 0 && boundaries[at - 1]) await field.run(counting)
        await field.write('users', `p0/${at} ${record.key}→${record.value === null ? '∅' : `"${record.value}"`}`)
      }
      await field.run(counting)
      expect(await field.out('out')).toEqual(
        MOVES.flatMap(({ out }) => out.map(([city, number]) => `"${city}"→${number} @0`)),
      )
      expect(field.store(counting, 'headcount')).toEqual(['NYC=0', 'SFO=0'])
      expect(field.checkpoint(counting)).toEqual({ 'users/0': 5 })
    }
  })
})

it('group keys are compared by their bytes: an equal object is the same group', () => {
  const rows = topic('rows', { key: string(), value: json<{ group: string; n: number }>() })
  const piped = new PipedJob(({ table }) => {
    table(rows)
      .groupBy(({ group, n }) => [{ group }, n], json<{ group: string }>())
      .reduce(
        'sums',
        (sum, n) => sum + n,
        (sum, n) => sum - n,
        json<number>(),
      )
      .toStream()
      .to(anyOut)
  })
  piped.pipe(rows, { key: 'r', value: { group: 'g', n: 3 } })
  expect(piped.pipe(rows, { key: 'r', value: { group: 'g', n: 5 } }).map(({ value }) => value)).toEqual([5])
})
