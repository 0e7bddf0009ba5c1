import { type JobBuilder, job, joinWindows, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { partitionOf } from '../../src/wire/murmur2.ts'
import { Field } from './support/field.ts'

const words = topic('in', { key: string(), value: json<number>() })
const left = topic('left', { key: string(), value: json<string>() })
const right = topic('right', { key: string(), value: json<string>() })
const out = topic('out', { key: string(), value: json<unknown>() })

const both = (l: unknown, r: unknown) => [l, r]
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']

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

/** Every kind of join, of topics whose keys lie in partitions of other numbers. */
const JOINS: Readonly<Record<string, (builder: JobBuilder) => void>> = {
  'a stream with a table': ({ stream, table }) => {
    stream(left).leftJoin(table(right), both).to(out)
  },
  'a stream with a versioned table, and grace': ({ stream, table }) => {
    const rows = table(right, 'rows', { historyRetention: '1h' })
    stream(left).leftJoin(rows, both, 'waiting', { grace: 2 }).to(out)
  },
  'a table with a table': ({ table }) => {
    table(left).outerJoin(table(right), both).toStream().to(out)
  },
  'a table with a table by a foreign key': ({ table }) => {
    table(left)
      .leftJoin(table(right), (_, key) => key, both, 'joined')
      .toStream()
      .to(out)
  },
  'a stream with a stream': ({ stream }) => {
    stream(left).outerJoin(stream(right), both, joinWindows(3), 'joined').to(out)
  },
  'a cogroup': ({ stream }) => {
    stream(left)
      .groupByKey()
      .cogroup((all: string, l) => all + l)
      .cogroup(stream(right).groupByKey(), (all, r) => all + r)
      .aggregate('joined', { init: () => '', serde: json<string>() })
      .toStream()
      .to(out)
  },
}

describe.each(Object.entries(JOINS))('C5: %s, of topics with other numbers of partitions', (_, build) => {
  it('gives what it gives where the numbers are the same', async () => {
    const outputs: (readonly string[])[] = []
    for (const [lefts, rights] of [
      [1, 1],
      [2, 3],
      [3, 2],
      [1, 4],
    ] as const) {
      const field = new Field('memory')
      await field.topic('left', lefts)
      await field.topic('right', rights)
      await field.topic('out')
      for (const [topic, partitions] of [
        ['left', lefts],
        ['right', rights],
      ] as const) {
        for (let at = 0; at < 60; at++) {
          const key = KEYS[(at * (topic === 'left' ? 5 : 7)) % KEYS.length] ?? ''
          const partition = partitionOf(key, partitions)
          await field.write(topic, `p${partition} ${key}→"${topic[0]}${at}" @${at * 2 + (topic === 'left' ? 1 : 0)}`)
        }
        // time moves on in every task
        for (let partition = 0; partition < 4; partition++) {
          if (partition < partitions) await field.write(topic, `p${partition} z→"end" @1000`)
        }
      }
      await field.run(job('joining', {}, build))
      const results = (await field.out('out')).filter((note) => !note.startsWith('z'))
      outputs.push([...results].sort())
    }
    expect(outputs[0]?.length).toBeGreaterThan(20)
    for (const others of outputs.slice(1)) expect(others).toEqual(outputs[0])
  })
})
