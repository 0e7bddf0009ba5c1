import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

describe.each(['memory', 'embedded'])('A10: batches reach outside the range (%s)', (world) => {
  it('records below from, at to and past it are dropped, and each is read once', async () => {
    const field = new Field(world)
    await field.topic('in')
    await field.batch('in', 'gzip', 'p0/0 a', ...Array.from({ length: 9 }, () => 'p0 a'))
    const job = counting({ start: '3' })
    expect((await field.run(job, { to: '7' })).records).toBe(4)
    expect(field.checkpoint(job)).toEqual({ 'in/0': 7 })
    expect((await field.run(job)).records).toBe(3)
    expect(field.checkpoint(job)).toEqual({ 'in/0': 10 })
    expect(field.store(job, 'counts')).toEqual(['a=7'])
    expect(await field.out('out')).toEqual([1, 2, 3, 4, 5, 6, 7].map((count) => `a→${count} @0`))
  })
})
