import { type JobOptions, job, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { resetJob } from '../../src/runtime/reset.ts'
import type { BadDataPolicy } from '../../src/topology/job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

describe.each(['memory', 'embedded'])('B3: one record from the future (%s)', (world) => {
  const windowed = (options: JobOptions = {}) =>
    job('windowed', options, ({ stream }) => {
      stream(numbers).groupByKey().windowedBy(tumbling(1000)).count('counts').toStream().to(anyOut)
    })

  const guard = (policy: BadDataPolicy): JobOptions => ({
    // biome-ignore lint/suspicious/noThenProperty: a policy, and never awaited
    maxFutureSkew: { limit: '1h', then: policy },
    deadLetterTopic: 'dead',
  })

  async function given(): Promise<Field> {
    const field = new Field(world)
    await field.topic('numbers')
    await field.write('numbers', 'p0/0 a @1000', 'p0/1 a @1700000000000000', 'p0/2 a @2000')
    return field
  }

  it('makes what follows late, in the next run too, and both reports name it', async () => {
    const field = await given()
    const job = windowed()
    const steps = { counts: { late: 1, droppedWindows: 1 } }
    expect(await field.run(job)).toMatchObject({ records: 3, late: 1, streamTimeBy: 'numbers[0]@1', steps })
    await field.write('numbers', 'p0/3 a @3000')
    expect(await field.run(job)).toMatchObject({ records: 1, late: 1, streamTimeBy: 'numbers[0]@1', steps })
    expect(field.checkpoint(job)).toEqual({ 'numbers/0': 4 })
  })

  it('is undone by a reset of stream time', async () => {
    const field = await given()
    const job = windowed()
    await field.run(job)
    const loaded = { job, path: 'jobs/case.ts', hash: 'hash' }
    await resetJob(field.env, loaded, { state: false, streamTime: true, outputs: false, dryRun: false })
    await field.write('numbers', 'p0/3 a @3000')
    expect(await field.run(job)).toMatchObject({ late: 0, streamTimeBy: 'numbers[0]@3' })
    expect(field.store(job, 'counts')).toContain('a[3000,4000)=1')
  })

  it('is passed over where the job has a guard', async () => {
    const field = await given()
    const job = windowed(guard('skip'))
    const run = await field.run(job)
    expect(run).toMatchObject({ records: 3, late: 0, skipped: 1, streamTimeBy: 'numbers[0]@2' })
    expect(run.steps['numbers:stream']).toEqual({ skipped: { 'too-far': 1 } })
    await field.write('numbers', 'p0/3 a @3000')
    expect(await field.run(job)).toMatchObject({ late: 0, skipped: 0 })
    expect(field.store(job, 'counts')).toEqual(['a[1000,2000)=1', 'a[2000,3000)=1', 'a[3000,4000)=1'])
    expect(field.checkpoint(job)).toEqual({ 'numbers/0': 4 })
  })

  it('fails by name, or goes to the dead letters, where the guard says so', async () => {
    const field = await given()
    const failing = windowed(guard('fail'))
    expect((await field.fail(failing)).toJSON()).toMatchObject({
      code: 'TIMESTAMP_TOO_FAR',
      at: expect.stringContaining('numbers[0]@1'),
    })
    expect(field.checkpoint(failing)).toBeNull()
    const job = windowed(guard('dead-letter'))
    expect(await field.run(job)).toMatchObject({ late: 0, deadLettered: 1 })
    const [dead] = await field.records('dead')
    expect(dead?.headers.map(([name, value]) => `${name}=${Buffer.from(value ?? [])}`)).toEqual(
      expect.arrayContaining(['tidemark.topic=numbers', 'tidemark.offset=1', 'tidemark.reason=too-far']),
    )
  })
})
