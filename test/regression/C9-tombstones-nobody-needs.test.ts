import { job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { OUT } from './support/jobs.ts'

const values = topic('values', { key: string(), value: json<number>() })

const filtering = job('filtering', {}, ({ table }) => {
  table(values, 'kept')
    .filter((value) => value > 0)
    .toStream()
    .to(OUT)
})

describe.each(['memory', 'embedded'])('C9: a filtered table deletes only what it had (%s)', (world) => {
  it.each([false, true])('sends two records for four updates (a run for each: %s)', async (between) => {
    const field = new Field(world)
    await field.topic('values')
    for (const record of ['a→-1', 'a→5', 'a→-2', 'a→-3']) {
      await field.write('values', record)
      if (between) await field.run(filtering)
    }
    await field.run(filtering)
    expect(await field.out('out')).toEqual(['a→5 @0', 'a→∅ @0'])
  })
})
