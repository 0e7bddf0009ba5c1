import { job, json, string, topic, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import type { InvalidTimestampPolicy } from '../../src/topology/topic-spec.ts'
import { Field } from './support/field.ts'

describe.each(['memory', 'embedded'])('B9: no timestamp (%s)', (world) => {
  const windowed = (onInvalidTimestamp: InvalidTimestampPolicy) =>
    job('windowed', {}, ({ stream }) => {
      const input = topic('in', { key: string(), value: json<number>(), onInvalidTimestamp })
      stream(input).groupByKey().windowedBy(tumbling(1000)).count('counts')
    })

  async function given(): Promise<Field> {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', 'p0/0 a @1000', 'p0/1 a @-1')
    return field
  }

  it('is skipped and counted, and the checkpoint passes it though it is the last', async () => {
    const field = await given()
    const job = windowed('skip')
    const run = await field.run(job)
    expect(run).toMatchObject({ records: 2, skipped: 1, late: 0 })
    expect(run.steps['in:stream']).toEqual({ skipped: { timestamp: 1 } })
    expect(field.store(job, 'counts')).toEqual(['a[1000,2000)=1'])
    expect(field.checkpoint(job)).toEqual({ 'in/0': 2 })
    expect((await field.run(job)).records).toBe(0)
  })

  it('fails by name, with the checkpoint as it was', async () => {
    const field = await given()
    const job = windowed('fail')
    expect((await field.fail(job)).toJSON()).toMatchObject({
      code: 'TIMESTAMP_INVALID',
      at: expect.stringContaining('in[0]@1'),
    })
    expect(field.checkpoint(job)).toBeNull()
    expect(field.store(job, 'counts')).toEqual([])
  })

  it('is what a field or a function gives that is not whole milliseconds, or no ISO text', async () => {
    const field = new Field(world)
    await field.topic('in')
    const fields = ['1000.5', '1e300', '"1/31/2013"', '"5"', '"2013-02-30"', '"20130131"', 'true', '-1']
    const times = [...fields, '1000', '"1970-01-01T00:00:02"', '"1970-01-01 01:00:03.000999+01"', '"1970-01-02"']
    await field.write('in', ...times.map((time, offset) => `p0/${offset} a→{"t":${time}} @0`))
    const input = topic('in', {
      key: string(),
      value: json<{ t: number | string }>(),
      timestamp: { field: 't' },
      onInvalidTimestamp: 'skip',
    })
    const output = topic('out', { key: string(), value: json() })
    const run = await field.run(job('passing', {}, ({ stream }) => stream(input).to(output)))
    expect(run).toMatchObject({ records: 12, skipped: 8 })
    expect((await field.records('out')).map(({ timestamp }) => timestamp)).toEqual([1000, 2000, 3000, 86_400_000])
  })

  it('is told from one that is too far off, however far', async () => {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', 'p0/0 a @9000000000000000', 'p0/1 a @5')
    // biome-ignore lint/suspicious/noThenProperty: a policy, and never awaited
    const guarded = job('guarded', { maxFutureSkew: { limit: '1h', then: 'skip' } }, ({ stream }) => {
      stream(topic('in', { key: string(), value: json<number>() }))
        .groupByKey()
        .count('counts')
    })
    expect(await field.run(guarded)).toMatchObject({ records: 2, skipped: 1 })
  })

  it('takes the time of its partition, and no window starts below 0', async () => {
    const field = await given()
    const job = windowed('partition-time')
    await field.run(job)
    expect(field.store(job, 'counts')).toEqual(['a[1000,2000)=2'])
  })
})
