import { job, joinWindows } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, open } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

const stream4 = open<string>('stream')
const table4 = open<string>('table')
const inner = anyOut
const left = { ...anyOut, name: 'left' }

it('null keys are left out and counted, but by a left join, which has null on the right for them', () => {
  const piped = new PipedJob(({ stream, table }) => {
    const records = stream(stream4)
    const rows = table(table4)
    records.groupByKey().count('counts')
    records.join(rows, (l, r) => [l, r]).to(inner)
    records.leftJoin(rows, (l, r) => [l, r]).to(left)
  })
  piped.pipe(table4, { key: 'a', value: 'T', at: 0 })
  piped.pipe(table4, { key: null, value: 'U', at: 0 })
  const results = [
    ...piped.pipe(stream4, { key: null, value: 'x', at: 1 }),
    ...piped.pipe(stream4, { key: 'a', value: 'y', at: 2 }),
  ]
  expect(results).toEqual([
    { topic: 'left', key: null, value: ['x', null], at: 1 },
    { topic: 'out', key: 'a', value: ['y', 'T'], at: 2 },
    { topic: 'left', key: 'a', value: ['y', 'T'], at: 2 },
  ])
  expect(piped.store('counts')).toEqual([['a', 1]])
  expect(piped.counts).toEqual({
    'table:table': { skipped: { 'null-key': 1 } },
    counts: { skipped: { 'null-key': 1 } },
    'stream:stream-table-join': { skipped: { 'null-key': 1 } },
    'stream:stream-table-join-2': { unmatched: 1 },
  })
})

it.each(['memory', 'embedded'])('C4 in a run (%s)', async (world) => {
  const joining = job('joining', {}, ({ stream, table }) => {
    const records = stream(stream4)
    const rows = table(table4)
    records.groupByKey().count('counts')
    records.join(rows, (l, r) => [l, r]).to(inner)
    records.leftJoin(rows, (l, r) => [l, r]).to(left)
  })
  const field = new Field(world)
  await field.topic('stream')
  await field.topic('table')
  await field.write('table', 'p0/0 a→"T" @0', 'p0/1 ∅→"U" @0')
  await field.write('stream', 'p0/0 ∅→"x" @1', 'p0/1 a→"y" @2')
  const run = await field.run(joining)
  expect(field.store(joining, 'counts')).toEqual(['a=1'])
  expect(await field.out('out')).toEqual(['"a"→["y","T"] @2'])
  expect(await field.out('left')).toEqual(['∅→["x",null] @1', '"a"→["y","T"] @2'])
  expect(run.steps.counts).toEqual({ skipped: { 'null-key': 1 } })
  expect(run.steps['table:table']).toEqual({ skipped: { 'null-key': 1 } })
  expect(field.checkpoint(joining)).toEqual({ 'stream/0': 2, 'table/0': 2 })
})

const other4 = open<string>('other')

describe.each(['memory', 'embedded'])('C4 in joins of streams (%s)', (world) => {
  it.each([
    { kind: 'join', results: ['"a"→["y","w"] @2'], skipped: 2 },
    { kind: 'leftJoin', results: ['∅→["x",null] @1', '"a"→["y","w"] @2'], skipped: 1 },
    { kind: 'outerJoin', results: ['∅→["x",null] @1', '∅→[null,"v"] @1', '"a"→["y","w"] @2'], skipped: 0 },
  ] as const)('two null keys never match: $kind', async ({ kind, results, skipped }) => {
    const joining = job('joining', {}, ({ stream }) => {
      const both = (one: unknown, other: unknown) => [one, other]
      const [one, other, windows] = [stream(stream4), stream(other4), joinWindows(10)]
      if (kind === 'join') one.join(other, both, windows, 'pairs').to(anyOut)
      else if (kind === 'leftJoin') one.leftJoin(other, both, windows, 'pairs').to(anyOut)
      else one.outerJoin(other, both, windows, 'pairs').to(anyOut)
    })
    const field = new Field(world)
    await field.topic('stream')
    await field.topic('other')
    await field.write('stream', 'p0/0 ∅→"x" @1', 'p0/1 a→"y" @2')
    await field.write('other', 'p0/0 ∅→"v" @1', 'p0/1 a→"w" @2')
    const run = await field.run(joining, { closeWindows: true })
    expect([...(await field.out('out'))].sort()).toEqual([...results].sort())
    expect(run.skipped).toBe(skipped)
    expect(run.steps.pairs?.skipped).toEqual(skipped === 0 ? undefined : { 'null-key': skipped })
  })
})
