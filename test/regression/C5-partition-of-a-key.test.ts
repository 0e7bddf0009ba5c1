import { job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'

const words = topic('in', { key: string(), value: json<number>() })
const left = topic('left', { key: string(), value: json<string>() })
const right = topic('right', { key: string(), value: json<string>() })
const out = topic('out', { key: string(), value: json<unknown>() })

describe.each(['memory', 'embedded'])("C5: a key's partition is that of Kafka's default partitioner (%s)", (world) => {
  it.each([
    ['100:48069', 12, 9],
    ['wu', 10, 0],
    ['foobar', 3, 0],
    ['a', 12, 4],
    ['bob', 3, 0],
  ])('%s of %i partitions is in %i', async (key, partitions, partition) => {
    const field = new Field(world)
    await field.topic('in')
    await field.topic('out', partitions)
    await field.write('in', `${key}→1`)
    await field.run(job('passing', {}, ({ stream }) => stream(words).to(out)))
    expect((await field.records('out')).map(({ partition }) => partition)).toEqual([partition])
  })

  const joining = job('joining', {}, ({ stream, table }) => {
    stream(left)
      .join(table(right), (l, r) => [l, r])
      .to(out)
  })

  it.each([
    { name: 'by another partitioner', partitions: [12, 12], row: 'p4 a→"r" @1', click: 'p0 a→"l" @2' },
    { name: 'to another number of partitions', partitions: [2, 3], row: 'p1 a→"r" @1', click: 'p0 a→"l" @2' },
  ])('a join finds its row although one side was written $name', async ({ partitions, row, click }) => {
    const field = new Field(world)
    await field.topic('left', partitions[0])
    await field.topic('right', partitions[1])
    await field.write('right', row)
    await field.write('left', click)
    await field.run(joining)
    expect(await field.out('out')).toEqual(['a→["l","r"] @2'])
  })
})
