import { job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { OUT } from './support/jobs.ts'

const lefts = topic('lefts', { key: string(), value: json<string>() })
const rights = topic('rights', { key: string(), value: json<string>() })

const joining = job('joining', {}, ({ table }) => {
  table(lefts)
    .join(table(rights), (one, other) => [one, other])
    .toStream()
    .to(OUT)
})

const STEPS = [
  ['lefts', 'a→"x" @2', []],
  ['rights', 'a→"y" @5', ['a→["x","y"] @5']],
  ['lefts', 'a→∅ @3', ['a→∅ @5']],
  ['rights', 'a→∅ @6', []],
  ['lefts', 'b→"z" @7', []],
] as const

describe.each(['memory', 'embedded'])('C8: deletes and times of a join of tables (%s)', (world) => {
  it('has the later time of both sides, and sends one delete for two', async () => {
    const field = new Field(world)
    await field.topic('lefts')
    await field.topic('rights')
    let before = 0
    for (const [name, record, sent] of STEPS) {
      await field.write(name, record)
      await field.run(joining)
      const out = await field.out('out')
      expect(out.slice(before)).toEqual(sent)
      before = out.length
    }
  })
})
