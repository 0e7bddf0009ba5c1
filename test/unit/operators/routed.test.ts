import { type JobBuilder, job, json, string, topic } from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut } from '../runtime-task/topics.ts'

const numbers = topic('numbers', { key: string(), value: json<number>() })
const low = topic('low', { key: string(), value: json<number>() })
const high = topic('high', { key: string(), value: json<number>() })
const other = topic('other', { key: string(), value: json<number>() })

describe('split', () => {
  it('tries predicates in order, no further than needed, and keeps the bytes of what nobody changes', () => {
    const asked: string[] = []
    const says = (name: string, holds: (value: number) => boolean) => (value: number) => {
      asked.push(name)
      return holds(value)
    }
    const piped = new PipedJob(({ stream }) => {
      const branches = stream(numbers)
        .split()
        .branch(
          'small',
          says('small', (value) => value < 10),
        )
        .branch(
          'even',
          says('even', (value) => value % 2 === 0),
        )
        .defaultBranch('rest')
      branches.small.to(low)
      branches.even.to(high)
      branches.rest.to(other)
    })
    piped.pipe(numbers, { key: 'a', raw: ' 3 ', value: 3, at: 1 })
    piped.pipe(numbers, { key: 'b', value: 12, at: 2 })
    piped.pipe(numbers, { key: 'c', value: 13, at: 3 })
    expect(asked).toEqual(['small', 'small', 'even', 'small', 'even'])
    expect(piped.raw.map(({ topic, key, value }) => [topic, key, value])).toEqual([
      ['low', 'a', ' 3 '],
      ['high', 'b', '12'],
      ['other', 'c', '13'],
    ])
  })

  it('runs every step that follows a branch, and none that does not', () => {
    const seen: string[] = []
    const piped = new PipedJob(({ stream }) => {
      const { one } = stream(numbers)
        .split()
        .branch('unused', (value) => value === 0)
        .branch('one', (value) => value === 1)
        .noDefaultBranch()
      one.foreach((value, key) => void seen.push(`first ${key}=${value}`))
      one.foreach((value, key) => void seen.push(`second ${key}=${value}`))
    })
    for (const value of [0, 1, 2]) piped.pipe(numbers, { key: 'k', value })
    expect(seen).toEqual(['first k=1', 'second k=1'])
  })

  it('refuses branches without a name, or with the same', () => {
    const built = (build: (branches: ReturnType<typeof splitOf>) => unknown) => () =>
      job('j', {}, ({ stream }) => void build(splitOf(stream)))
    const splitOf = (stream: JobBuilder['stream']) => stream(numbers).split()
    const invalid = expect.objectContaining({ code: 'JOB_INVALID' })
    const positive = (value: number) => value > 0
    expect(built((branches) => branches.branch('a', positive).branch('a' as never, positive))).toThrowError(invalid)
    expect(built((branches) => branches.branch('', positive))).toThrowError(invalid)
  })
})

describe('a topic chosen by record', () => {
  it('gets what is chosen for it, with event time and origin to choose by', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).to([low, high, other], (value, _key, { timestamp, offset, partition }) => {
        if (timestamp >= 100) return other
        return value + offset + partition < 10 ? low : high
      })
    })
    expect(piped.pipe(numbers, { key: 'a', value: 9, at: 1 })).toEqual([{ topic: 'low', key: 'a', value: 9, at: 1 }])
    expect(piped.pipe(numbers, { key: 'a', value: 9, at: 2 })).toEqual([{ topic: 'high', key: 'a', value: 9, at: 2 }])
    expect(piped.pipe(numbers, { key: 'a', value: 0, at: 100 })).toMatchObject([{ topic: 'other' }])
  })

  it('has to be declared', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).to([low], () => high as never)
    })
    expect(() => piped.pipe(numbers, { key: 'a', value: 1 })).toThrowError(
      expect.objectContaining({
        code: 'USER_CODE_FAILED',
        message: expect.stringContaining('the topic high was chosen'),
      }),
    )
    const none = () => job('j', {}, ({ stream }) => stream(numbers).to([], () => low as never))
    expect(none).toThrowError(expect.objectContaining({ code: 'JOB_INVALID' }))
  })

  it('may be one that the job reads itself', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).to([low, other], (value) => (value < 10 ? low : other))
      stream(low)
        .mapValues((value) => value * 100)
        .to(anyOut)
    })
    expect(piped.pipe(numbers, { key: 'a', value: 3, at: 7 })).toEqual([
      { topic: 'low', key: 'a', value: 3, at: 7 },
      { topic: 'out', key: 'a', value: 300, at: 7 },
    ])
    expect(piped.pipe(numbers, { key: 'a', value: 30, at: 8 })).toEqual([
      { topic: 'other', key: 'a', value: 30, at: 8 },
    ])
  })
})

it('an explicit exchange has its own name, keeps values and leaves out records without key', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .selectKey((value) => (value < 0 ? null : `k${value}`), string())
      .repartition('by-value')
      .to(anyOut)
  }, 4)
  expect(piped.job.topology.nodes.map(({ name }) => name)).toContain('by-value')
  expect(piped.pipe(numbers, { key: 'a', value: -1 })).toEqual([])
  expect(piped.pipe(numbers, { key: 'a', value: 5, at: 3 })).toEqual([{ topic: 'out', key: 'k5', value: 5, at: 3 }])
})

it('print shows keys and values as text', async () => {
  const mixed = topic('mixed', {
    key: string(),
    value: json<unknown>({ bigints: true }),
    nullKey: true,
    nullValue: true,
  })
  const driver = await TestDriver.create(job('printing', {}, ({ stream }) => stream(mixed).print('seen')))
  await driver.pipe(mixed, { key: 'a', value: 'text' })
  await driver.pipe(mixed, { key: null, value: { n: 1, big: 2n ** 60n } })
  await driver.pipe(mixed, { key: 'b', value: null })
  expect(driver.printed).toEqual([
    '[seen]: a, text',
    '[seen]: null, {"n":1,"big":"1152921504606846976"}',
    '[seen]: b, null',
  ])
})
