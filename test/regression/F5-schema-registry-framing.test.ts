import { job, json, string, sum, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'

describe('F5: schema-registry framing', () => {
  const read = (bytes: Buffer) => json<unknown>().decode(bytes, 0, bytes.length)
  const body = Buffer.from('{"n":1}')

  it('is bad data with a hint at the registry', () => {
    expect(() => read(Buffer.concat([Buffer.from('0000000007', 'hex'), body]))).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.stringContaining('schema registry') }),
    )
  })

  it('is not seen where there is none', () => {
    expect(read(Buffer.from('{"n":2}'))).toEqual({ n: 2 })
    expect(() => read(Buffer.from('48656c6c6f', 'hex'))).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.not.stringContaining('schema registry') }),
    )
  })
})

describe.each(['memory', 'embedded'])('F5 in runs (%s)', (world) => {
  const input = topic('in', { key: string(), value: json<{ n: number }>() })
  const summing = (onBadData: 'fail' | 'skip' | 'dead-letter') =>
    job('summing', { onBadData, deadLetterTopic: 'dead' }, ({ stream }) => {
      stream(input)
        .groupByKey()
        .aggregate(
          'sums',
          sum(({ n }) => n),
        )
    })
  const framed = Buffer.concat([Buffer.from('0000000007', 'hex'), Buffer.from('{"n":1}')])
  const values = [framed, Buffer.from('{"n":2}'), Buffer.from('48656c6c6f', 'hex')]

  async function given(): Promise<Field> {
    const field = new Field(world)
    await field.topic('in')
    const key = Buffer.from('k')
    await field.write('in', ...values.map((value, offset) => ({ partition: 0, offset, key, value, timestamp: 0 })))
    return field
  }

  it('a framed value and one that is no JSON are bad data by policy, and the good one is read', async () => {
    const field = await given()
    const run = await field.run(summing('skip'))
    expect(run.steps['in:stream']).toEqual({ skipped: { 'bad-data': 2 } })
    expect(field.store(summing('skip'), 'sums')).toEqual(['k=2'])
    expect(field.checkpoint(summing('skip'))).toEqual({ 'in/0': 3 })
  })

  it('the framed one fails with the hint, at its place', async () => {
    const field = await given()
    expect((await field.fail(summing('fail'))).toJSON()).toEqual({
      code: 'BAD_DATA',
      message: expect.stringContaining('0000000007'),
      hint: expect.stringContaining('schema registry'),
      at: 'summing › in:stream › in[0]@0',
    })
  })

  it('dead letters have the very bytes', async () => {
    const field = await given()
    await field.run(summing('dead-letter'))
    expect((await field.records('dead')).map(({ value }) => Buffer.from(value ?? []))).toEqual([values[0], values[2]])
  })
})
