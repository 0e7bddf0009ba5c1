import { job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { OUT } from './support/jobs.ts'
import { withFetches } from './support/odd-log.ts'

const users = topic('users', { key: string(), value: json<string>() })
const clicks = topic('clicks', { key: string(), value: json<string>() })
const joining = job('joining', {}, ({ stream, table }) => {
  stream(clicks)
    .leftJoin(table(users), (click, user) => [click, user])
    .to(OUT)
})

describe.each(['memory', 'embedded'])('B7: a join does not depend on what was fetched first (%s)', (world) => {
  it('gives the same bytes whatever the order, size and delay of fetches', async () => {
    const seen: unknown[] = []
    for (let round = 0; round < 20; round++) {
      const field = new Field(world)
      await field.topic('clicks')
      await field.topic('users')
      // p0 u1→c3 @300 lies behind c2: within a partition offset order stands.
      await field.write('clicks', 'p0/0 u1→"c1" @200', 'p0/1 u1→"c2" @400', 'p0/2 u1→"c3" @300')
      await field.write('users', 'p0/0 u1→"A" @100', 'p0/1 u1→"B" @300')
      const luck = withFetches(round % 3 === 0 ? 1_000_000 : 1, async (fetches, index) => {
        if (fetches < 2 && index === round % 2) await field.env.clock.sleep(5000)
        for (let turn = 0; turn < round % 5; turn++) await new Promise(setImmediate)
      })
      await field.run(joining, {}, luck)
      seen.push(await field.records('out'))
      expect(await field.out('out')).toEqual(['u1→["c1","A"] @200', 'u1→["c2","B"] @400', 'u1→["c3","B"] @300'])
      expect(field.checkpoint(joining)).toEqual({ 'clicks/0': 3, 'users/0': 2 })
    }
    for (const records of seen) expect(records).toEqual(seen[0])
  })
})
