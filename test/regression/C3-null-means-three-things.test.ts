import { type JobBuilder, job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { OUT } from './support/jobs.ts'

describe('C3: a null value means three things', () => {
  const read = (text: string, serde = json<unknown>()) => serde.decode(Buffer.from(text), 0, text.length)

  it.each(['null', ''])('the bytes "%s" are bad data with a hint, and no delete', (text) => {
    expect(() => read(text)).toThrowError(
      expect.objectContaining({
        code: 'BAD_DATA',
        hint: expect.stringContaining('A delete is a record without a value'),
      }),
    )
  })

  it('the text null is null where the topic says so; no bytes are bad data all the same', () => {
    expect(read('null', json({ allowNull: true }))).toBe(null)
    expect(() => read('', json({ allowNull: true }))).toThrowError(expect.objectContaining({ code: 'BAD_DATA' }))
  })

  it.each([[undefined], [() => 1]])('%o is no value to write', (value) => {
    expect(() => json<unknown>().encode(value)).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.stringContaining('Return a value') }),
    )
  })
})

describe.each(['memory', 'embedded'])('C3 in runs (%s)', (world) => {
  const input = topic('in', { key: string(), value: json<number>() })
  const changes = topic('changes', { key: string(), value: json<number>(), nullValue: true })
  const counting = job('counting', {}, ({ stream }) => {
    stream(input).groupByKey().count('counts').toStream().to(OUT)
  })
  const mirror = ({ table }: JobBuilder) => {
    const rows = table(input, 'rows')
    rows.toStream().to(changes)
    rows
      .groupBy((value, key) => [key, value], string())
      .count('by-key')
      .toStream()
      .to(OUT)
  }
  const mirroring = job('mirroring', { onBadData: 'skip' }, mirror)

  async function given(...records: readonly string[]): Promise<Field> {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', ...records)
    return field
  }

  it('a null value is no record of a stream aggregation', async () => {
    const field = await given('p0/0 a→1', 'p0/1 a→∅', 'p0/2 a→2')
    expect(await field.run(counting)).toMatchObject({ records: 3, skipped: 1 })
    expect(await field.out('out')).toEqual(['a→1 @0', 'a→2 @0'])
    expect(field.checkpoint(counting)).toEqual({ 'in/0': 3 })
  })

  it('and deletes the row of a table', async () => {
    const field = await given('p0/0 a→1', 'p0/1 a→∅', 'p0/2 a→2')
    await field.run(mirroring)
    expect(await field.out('changes')).toEqual(['a→1 @0', 'a→∅ @0', 'a→2 @0'])
    expect(await field.out('out')).toEqual(['a→1 @0', 'a→0 @0', 'a→1 @0'])
  })

  it('the text null and no bytes are bad data, and never a delete', async () => {
    const field = await given('p0/0 b→1', 'p0/1 b→null', 'p0/2 c→1', 'p0/3 c→')
    const run = await field.run(mirroring)
    expect(run.steps.rows).toEqual({ skipped: { 'bad-data': 2 } })
    expect(field.store(mirroring, 'rows')).toEqual(['b=1', 'c=1'])
    expect(await field.out('changes')).toEqual(['b→1 @0', 'c→1 @0'])
    expect(field.checkpoint(mirroring)).toEqual({ 'in/0': 4 })
    const error = await field.fail(job('strict', {}, mirror))
    expect(error.toJSON()).toMatchObject({ code: 'BAD_DATA', at: expect.stringContaining('in[0]@1') })
    expect(error.hint).toContain('A delete is a record without a value')
  })

  it('a mapper that returns undefined is wrong', async () => {
    const field = await given('p0/0 a→1')
    const forgetful = job('forgetful', {}, ({ stream }) => {
      stream(input)
        .mapValues(() => undefined)
        .to(OUT)
    })
    expect((await field.fail(forgetful)).toJSON()).toMatchObject({
      code: 'USER_CODE_FAILED',
      at: 'forgetful › in:map-values › in[0]@0',
    })
    expect(await field.out('out')).toEqual([])
  })
})
