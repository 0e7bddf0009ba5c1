import { job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { counting, OUT } from './support/jobs.ts'
import { withFetches } from './support/odd-log.ts'

describe.each(['memory', 'embedded'])('A15: an input topic is missing (%s)', (world) => {
  it('stops the run by name, with the nearest one there is, and nothing is made', async () => {
    const field = new Field(world)
    await field.topic('orders')
    const typo = job('typo', {}, ({ stream }) => {
      stream(topic('ordres', { key: string(), value: json<unknown>() })).to(OUT)
    })
    const error = await field.fail(typo)
    expect(error).toMatchObject({ code: 'INPUT_MISSING', exit: 66 })
    expect(error.message).toContain('ordres')
    expect(error.hint).toContain('orders')
    expect((await field.log.describe()).map(({ name }) => name)).toEqual(['orders'])
    expect(field.checkpoint(typo)).toBeNull()
  })

  it('that vanishes while it is read stops the run too, with the checkpoint as it was', async () => {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', 'p0/0 a')
    await field.run(counting())
    await field.write('in', 'p0/1 a', 'p0/2 a', 'p0/3 a')
    const vanishing = withFetches(1, async (fetches) => {
      if (fetches === 2) await field.log.admin().delete('in')
    })
    expect(await field.fail(counting(), {}, vanishing)).toMatchObject({ code: 'INPUT_MISSING', exit: 66 })
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 1 })
    expect(field.store(counting(), 'counts')).toEqual(['a=1'])
    expect(await field.out('out')).toEqual(['a→1 @0'])
    expect(await field.fail(counting())).toMatchObject({ code: 'INPUT_MISSING' })
    expect((await field.log.describe()).map(({ name }) => name)).toEqual(['out'])
  })
})
