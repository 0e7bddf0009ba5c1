import { job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { withFetches } from './support/odd-log.ts'

const texts = topic('in', { key: string(), value: string() })

describe.each(['memory', 'embedded'])('F6: one huge record (%s)', (world) => {
  it('is read by fetches that are smaller than it is', async () => {
    const passing = job('passing', {}, ({ stream }) => {
      stream(texts).groupByKey().count('counts')
      stream(texts)
        .mapValues((value) => `${value.length}`)
        .to(topic('lengths', { key: string(), value: string() }))
    })
    const field = new Field(world)
    await field.topic('in', 1, { 'max.message.bytes': '10000000' })
    const value = (length: number) => 'x'.repeat(length)
    await field.write('in', `p0/0 a→${value(1024)}`, `p0/1 a→${value(8 * 1024 * 1024)}`, `p0/2 a→${value(1024)}`)
    const fetched: number[] = []
    const small = withFetches(1024 * 1024, async (_, index) => {
      fetched.push(index)
    })
    expect((await field.run(passing, {}, small)).records).toBe(3)
    expect(fetched.length).toBeGreaterThan(1)
    expect(await field.out('lengths')).toEqual(['a→1024 @0', 'a→8388608 @0', 'a→1024 @0'])
    expect(field.checkpoint(passing)).toEqual({ 'in/0': 3 })
  })

  it('that a job makes and the log refuses is named with key and size, and nothing is committed', async () => {
    const growing = job('growing', {}, ({ stream }) => {
      stream(texts)
        .groupByKey()
        .aggregate('joined', {
          init: () => '',
          add: (joined: string, value) => joined + value,
          serde: json<string>(),
        })
        .to(topic('joined', { key: string(), value: json<string>() }))
    })
    const field = new Field(world)
    await field.topic('in')
    await field.topic('joined', 1, { 'cleanup.policy': 'compact', 'max.message.bytes': '2000' })
    await field.write('in', `p0/0 big→${'x'.repeat(1000)}`)
    await field.run(growing)
    await field.write('in', `p0/1 big→${'x'.repeat(1000)}`)
    const error = await field.fail(growing)
    expect(error).toMatchObject({ code: 'OUTPUT_REFUSED', exit: 73 })
    expect(error.message).toMatch(/record of 20\d\d bytes \(key "big"\)/)
    expect(field.checkpoint(growing)).toEqual({ 'in/0': 1 })
    expect(field.store(growing, 'joined')).toEqual([`big=${'x'.repeat(1000)}`])
    expect(await field.out('joined')).toHaveLength(1)
  })
})
