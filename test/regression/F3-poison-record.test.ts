import { type JobOptions, job, json, string, sum, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'

const input = topic('in', { key: string(), value: json<{ n: number }>(), nullKey: true })
const sums = topic('sums', { key: string(), value: json<number>() })
const BAD = Buffer.from('{bad')

const summing = (options: JobOptions, code = (n: number) => n) =>
  job('summing', options, ({ stream }) => {
    stream(input)
      .groupBy(() => 'all', string())
      .aggregate(
        'sums',
        sum(({ n }) => code(n)),
      )
      .toStream()
      .to(sums)
  })

const DEAD = { deadLetterTopic: 'dead' } as const
const throwing = (n: number) => {
  if (n === 2) throw new Error('cannot do two')
  return n
}

describe.each(['memory', 'embedded'])('F3: a poison record (%s)', (world) => {
  async function given(...records: readonly string[]): Promise<Field> {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', ...records)
    return field
  }
  const middle = () => given('p0/0 ∅→{"n":1}', 'p0/1 ∅→{bad', 'p0/2 ∅→{"n":2}')
  const last = () => given('p0/0 ∅→{"n":1}', 'p0/1 ∅→{"n":2}', 'p0/2 ∅→{bad')

  it('fails by name, and nothing is committed', async () => {
    const field = await middle()
    const job = summing({})
    const error = await field.fail(job)
    expect(error).toMatchObject({ code: 'BAD_DATA', exit: 65, at: { topic: 'in', partition: 0, offset: 1 } })
    expect(field.checkpoint(job)).toBeNull()
    expect(field.store(job, 'sums')).toEqual([])
    expect(await field.out('sums')).toEqual([])
  })

  it.each([
    { place: 'in the middle', given: middle, offset: 1 },
    { place: 'as the last record', given: last, offset: 2 },
  ])('is skipped or dead-lettered in the same commit, $place', async ({ given, offset }) => {
    for (const onBadData of ['skip', 'dead-letter'] as const) {
      const field = await given()
      const job = summing({ ...DEAD, onBadData })
      const run = await field.run(job)
      expect(run).toMatchObject(
        onBadData === 'skip' ? { skipped: 1, deadLettered: 0 } : { skipped: 0, deadLettered: 1 },
      )
      expect(field.store(job, 'sums')).toEqual(['all=3'])
      expect(field.checkpoint(job)).toEqual({ 'in/0': 3 })
      expect((await field.run(job)).records).toBe(0)
      const dead = await field.records('dead')
      expect(dead.map(({ value }) => Buffer.from(value ?? []))).toEqual(onBadData === 'skip' ? [] : [BAD])
      const headers = dead[0]?.headers.map(([name, value]) => `${name}=${Buffer.from(value ?? [])}`)
      if (onBadData === 'dead-letter') {
        const place = ['tidemark.topic=in', 'tidemark.partition=0', `tidemark.offset=${offset}`]
        expect(headers).toEqual(expect.arrayContaining([...place, 'tidemark.reason=bad-data']))
      }
    }
  })

  it('is left out by name, once', async () => {
    const field = await middle()
    const job = summing({})
    expect(await field.run(job, { skip: ['in/0@1'] })).toMatchObject({ records: 3, skipped: 1 })
    expect(field.store(job, 'sums')).toEqual(['all=3'])
    await field.write('in', 'p0/3 ∅→{bad')
    expect(await field.fail(job, { skip: ['in/0@1'] })).toMatchObject({ code: 'BAD_DATA', at: { offset: 3 } })
  })

  it('has a limit on how many of them a run passes, over all its slices', async () => {
    const field = await given('∅→{bad', '∅→{"n":1}', '∅→{bad', '∅→{"n":2}', '∅→{bad')
    const options = { onBadData: 'skip', sliceRecords: 1 } as const
    const strict = summing({ ...options, maxSkipped: 2 })
    expect(await field.fail(strict)).toMatchObject({ code: 'SKIP_LIMIT_EXCEEDED', exit: 65, at: { offset: 4 } })
    expect(field.checkpoint(strict)).toEqual({ 'in/0': 4 })
    expect(await field.fail(strict)).toMatchObject({ code: 'SKIP_LIMIT_EXCEEDED' })
    await field.run(summing({ ...options, maxSkipped: 3 }))
    expect(field.store(strict, 'sums')).toEqual(['all=3'])
  })

  it('is not what user code throws on, unless the job says so', async () => {
    const field = await given('p0/0 ∅→{"n":1}', 'p0/1 ∅→{"n":2}', 'p0/2 ∅→{"n":3}')
    const failing = summing({ ...DEAD, onBadData: 'skip' }, throwing)
    const error = await field.fail(failing)
    expect(error).toMatchObject({ code: 'USER_CODE_FAILED', exit: 70, at: { topic: 'in', partition: 0, offset: 1 } })
    expect(error.message).toContain('cannot do two')
    expect(field.checkpoint(failing)).toBeNull()
    const passing = summing({ ...DEAD, onUserError: 'dead-letter' }, throwing)
    expect(await field.run(passing)).toMatchObject({ records: 3, deadLettered: 1 })
    expect(field.store(passing, 'sums')).toEqual(['all=4'])
    expect(await field.out('sums')).toEqual(['all→1 @0', 'all→4 @0'])
    expect((await field.out('dead')).map((note) => note.split(' ')[0])).toEqual(['∅→{"n":2}'])
    expect(field.checkpoint(passing)).toEqual({ 'in/0': 3 })
  })

  it('is no different where a timestamp extractor throws', async () => {
    const field = await given('p0/0 ∅→{"n":1}', 'p0/1 ∅→{"n":2}', 'p0/2 ∅→{"n":3}')
    const timed = topic('in', {
      key: string(),
      value: json<{ n: number }>(),
      nullKey: true,
      timestamp: ({ value }) => throwing(value?.n ?? 0),
    })
    const count = (options: JobOptions) => job('summing', options, ({ stream }) => stream(timed).to(passed))
    const passed = topic('out', { key: string(), value: json<{ n: number }>(), nullKey: true })
    const error = await field.fail(count({}))
    expect(error).toMatchObject({
      code: 'USER_CODE_FAILED',
      exit: 70,
      at: { step: 'in:stream', topic: 'in', partition: 0, offset: 1 },
    })
    expect(error.message).toContain('cannot do two')
    const passing = count({ ...DEAD, onUserError: 'dead-letter' })
    expect(await field.run(passing)).toMatchObject({ records: 3, deadLettered: 1, outputs: 2 })
    expect(await field.out('out')).toEqual(['∅→{"n":1} @1', '∅→{"n":3} @3'])
    expect((await field.out('dead')).map((note) => note.split(' ')[0])).toEqual(['∅→{"n":2}'])
  })
})
