import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

describe.each(['memory', 'embedded'])('C6: a topic got more partitions (%s)', (world) => {
  it('and counting goes on: state belongs to a key, not to a partition', async () => {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', 'p0/0 k1', 'p0/1 k1', 'p0/2 k3')
    await field.run(counting())
    await field.log.admin().alter('in', { partitions: 2 })
    await field.write('in', 'p1/0 k1', 'p0/3 k3')
    const run = await field.run(counting())
    expect(field.store(counting(), 'counts')).toEqual(['k1=3', 'k3=2'])
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 4, 'in/1': 1 })
    expect(run.notices).toEqual([expect.stringContaining('in[1]')])
    expect((await field.run(counting())).records).toBe(0)
  })
})
