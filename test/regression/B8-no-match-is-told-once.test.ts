import { job, joinWindows, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { OUT } from './support/jobs.ts'

const lefts = topic('lefts', { key: string(), value: json<string>() })
const rights = topic('rights', { key: string(), value: json<string>() })
const windows = joinWindows(10, { grace: 5 })

const leftJoin = job('left-join', {}, ({ stream }) => {
  stream(lefts)
    .leftJoin(stream(rights), (one, other) => [one, other], windows, 'pairs')
    .to(OUT)
})

const outerJoin = job('outer-join', {}, ({ stream }) => {
  stream(lefts)
    .outerJoin(stream(rights), (one, other) => [one, other], windows, 'pairs')
    .to(OUT)
})

async function fieldOf(world: string): Promise<Field> {
  const field = new Field(world)
  await field.topic('lefts')
  await field.topic('rights')
  return field
}

describe.each(['memory', 'embedded'])(
  'B8: a record without a match goes out once, when none can come (%s)',
  (world) => {
    it('waits beyond the end of a range, and meets its match in the next run', async () => {
      const field = await fieldOf(world)
      await field.write('lefts', 'a→"x" @0')
      await field.run(leftJoin)
      expect(await field.out('out')).toEqual([])
      await field.write('rights', 'a→"y" @8')
      await field.run(leftJoin)
      expect(await field.out('out')).toEqual(['a→["x","y"] @8'])
      await field.write('lefts', 'b→"later" @1000')
      await field.run(leftJoin)
      expect(await field.out('out')).toEqual(['a→["x","y"] @8'])
    })

    it('goes out when time + after + grace is less than stream time, not before, and not again', async () => {
      const field = await fieldOf(world)
      await field.write('lefts', 'a→"x" @0', 'b→"at the edge" @15')
      await field.run(leftJoin)
      expect(await field.out('out')).toEqual([])
      await field.write('rights', 'c→"past the edge" @16')
      await field.run(leftJoin)
      expect(await field.out('out')).toEqual(['a→["x",null] @0'])
      await field.write('rights', 'a→"too late" @9', 'c→"z" @17')
      await field.run(leftJoin)
      expect(await field.out('out')).toEqual(['a→["x",null] @0', 'a→["x","too late"] @9'])
    })

    it('does not look at the wall clock', async () => {
      const field = await fieldOf(world)
      await field.write('lefts', 'a→"1" @0', 'b→"2" @100', 'c→"3" @200', 'd→"4" @300')
      await field.run(leftJoin)
      expect(await field.out('out')).toEqual(['a→["1",null] @0', 'b→["2",null] @100', 'c→["3",null] @200'])
    })

    it('is the same for both sides of an outer join, whether there is a run for all or one for each', async () => {
      const outs: unknown[] = []
      for (const between of [true, false]) {
        const field = await fieldOf(world)
        const writes = [
          ['lefts', 'a→"x" @0'],
          ['rights', 'b→"y" @2'],
          ['rights', 'a→"z" @10'],
          ['lefts', 'c→"w" @18'],
          ['rights', 'd→"v" @40'],
        ] as const
        for (const [name, record] of writes) {
          await field.write(name, record)
          if (between) await field.run(outerJoin)
        }
        if (!between) await field.run(outerJoin)
        outs.push(await field.out('out'))
      }
      expect(outs[0]).toEqual(['a→["x","z"] @10', 'b→[null,"y"] @2', 'c→["w",null] @18'])
      expect(outs[1]).toEqual(outs[0])
    })

    it('goes out at the end of a range where windows are to be closed', async () => {
      const field = await fieldOf(world)
      await field.write('lefts', 'a→"x" @0', 'b→"y" @5')
      await field.run(leftJoin, { closeWindows: true })
      expect(await field.out('out')).toEqual(['a→["x",null] @0', 'b→["y",null] @5'])
    })
  },
)
