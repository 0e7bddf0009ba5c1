import { job, json, string, topic } from 'tidemark'
import { expect, it } from 'vitest'
import { Field } from '../../regression/support/field.ts'
import { OUT } from '../../regression/support/jobs.ts'

const rows = topic('rows', { key: string(), value: json<number>() })
const items = topic('items', { key: string(), value: json<string>() })

const joining = job('joining', {}, ({ stream, table }) => {
  stream(items)
    .leftJoin(table(rows), (item, row) => [item, row])
    .to(OUT)
})

it.each([[[]], [['@35']], [['@30', '@36']]])(
  'a record that is left out keeps its place in the order of time (%j)',
  async (tos) => {
    const field = new Field('memory')
    await field.topic('rows')
    await field.topic('items')
    await field.write('rows', '∅→1 @35', 'c→2 @34')
    await field.write('items', 'c→"x" @34')
    for (const to of tos) await field.run(joining, { to })
    await field.run(joining)
    expect(await field.out('out')).toEqual(['c→["x",null] @34'])
  },
)
