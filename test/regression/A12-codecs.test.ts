import { type Job, job, sum } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { AT } from '../../src/wire/batch-layout.ts'
import { stampChecksum } from '../../src/wire/stamp.ts'
import { Binary, jobFile } from './support/binary.ts'
import { batchOf, Field } from './support/field.ts'
import { IN } from './support/jobs.ts'
import { noted } from './support/notation.ts'
import { withLog } from './support/odd-log.ts'
import waiting from './support/waiting-job.ts'

function summing(): Job {
  return job('summing', {}, ({ stream }) => {
    stream(IN)
      .filter((value) => value !== null)
      .groupByKey()
      .aggregate(
        'sums',
        sum((value) => value),
      )
  })
}

async function compressed(world: string): Promise<Field> {
  const field = new Field(world)
  await field.topic('in')
  await field.batch('in', 'gzip', 'p0/0 a→1')
  await field.batch('in', 'snappy', 'p0/1 a→2')
  await field.batch('in', 'lz4', 'p0/2 a→3')
  await field.batch('in', 'zstd', 'p0/3 a→4')
  return field
}

describe.each(['memory', 'embedded'])('A12: codecs (%s)', (world) => {
  it('all four are read', async () => {
    const field = await compressed(world)
    expect((await field.run(summing())).records).toBe(4)
    expect(field.store(summing(), 'sums')).toEqual(['a=10'])
    expect(field.checkpoint(summing())).toEqual({ 'in/0': 4 })
  })

  it('one that is not known stops the run by name, partition and offset, and nothing is committed', async () => {
    const field = await compressed(world)
    const batch = Buffer.from(batchOf('in', 'none', [noted('a→5')]).bytes)
    batch.writeUInt16BE(5, AT.attributes)
    batch.writeBigInt64BE(4n, AT.baseOffset)
    stampChecksum(batch)
    let fetches = 0
    const foreign = withLog((log) => ({
      reader: (ranges, options) => {
        const reader = log.reader(ranges, options)
        const next = async (index: number) => {
          fetches++
          const chunk = await reader.next(index)
          return chunk && { ...chunk, batches: [...chunk.batches, batch] }
        }
        return { next, close: () => reader.close() }
      },
    }))
    await field.write('in', 'p0/4 a→5')
    const error = await field.fail(summing(), {}, foreign)
    expect(error.toJSON()).toMatchObject({
      code: 'RECORD_BATCH_UNSUPPORTED',
      message: expect.stringContaining('codec 5'),
      at: 'summing › in[0]@4',
    })
    expect(fetches).toBe(1)
    expect(field.checkpoint(summing())).toBeNull()
    expect(field.store(summing(), 'sums')).toEqual([])
  })
})

it('A12: a codec whose library is gone stops the run by name and place, and nothing is committed', async () => {
  const binary = new Binary()
  const { field } = binary
  await field.topic('in')
  await field.batch('in', 'gzip', 'p0/0 a→1')
  await field.batch('in', 'snappy', 'p0/1 a→2')
  binary.write(
    'without-snappy.cjs',
    `const Module = require('node:module')
    const load = Module._load
    Module._load = function (name, ...rest) {
      if (name === 'snappy') throw new Error('it is not installed')
      return load.call(this, name, ...rest)
    }`,
  )
  const run = ['run', jobFile('waiting-job')]
  const { status, stderr } = await binary.run(run, { NODE_OPTIONS: '--require=./without-snappy.cjs' })
  expect(status).toBe(74)
  expect(stderr).toMatch(/snappy/)
  expect(stderr).toContain('in[0]@1')
  expect(field.checkpoint(waiting)).toBeNull()
  expect((await binary.run(run)).status).toBe(0)
  expect(field.store(waiting, 'counts')).toEqual(['a=2'])
})
