import { type JobBuilder, json, string, topic, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from './piped-job.ts'
import { anyOut, numbers } from './topics.ts'

const second = { ...anyOut, name: 'second' }
const keyOf = ({ key }: { key: unknown }) => (key as { key: string }).key

/** Windows of 10 that emit when they close; what they emit is regrouped, and gathered in windows of 100. */
function chain({ stream }: JobBuilder): void {
  const tens = stream(numbers).groupByKey().windowedBy(tumbling(10)).count('tens', { emit: 'on-window-close' })
  tens.toStream().to(anyOut)
  tens
    .toStream()
    .selectKey(() => 'all', string())
    .groupByKey()
    .windowedBy(tumbling(100))
    .count('hundreds', { emit: 'on-window-close' })
    .toStream()
    .to(second)
}

function piped(): PipedJob {
  const job = new PipedJob(chain, 4)
  for (const [key, partition] of [
    ['d', 1],
    ['c', 1],
    ['b', 0],
    ['a', 10],
    ['z', 2],
  ] as const) {
    job.pipe(numbers, { key, value: 1, at: 3, partition })
  }
  return job
}

describe('at the end of a range', () => {
  it('steps fire in their order, then by task number, then by key, and what they exchange is processed before the next', () => {
    const job = piped()
    job.processor.closeWindows()
    const emitted = job.emitted()
    expect(emitted.slice(0, 5).map(keyOf)).toEqual(['b', 'c', 'd', 'z', 'a'])
    expect(emitted.slice(5)).toEqual([{ topic: 'second', key: { key: 'all', start: 0, end: 100 }, value: 5, at: 3 }])
  })

  it('windows of tasks that this run has not touched close too', () => {
    const job = piped()
    job.restart()
    job.processor.closeWindows()
    expect(job.emitted()).toHaveLength(6)
  })

  it('time that is advanced closes what it passes, and what follows is late', () => {
    const job = piped()
    job.processor.advanceTime(9)
    expect(job.emitted()).toEqual([])
    job.restart()
    job.processor.advanceTime(10)
    expect(job.emitted().map(({ topic }) => topic)).toEqual(['out', 'out', 'out', 'out', 'out'])
    job.pipe(numbers, { key: 'a', value: 1, at: 9, partition: 10 })
    expect(job.counts.tens).toEqual({ late: 1, droppedWindows: 1 })
    job.processor.advanceTime(5)
    expect(job.processor.streamTimes()['tens/0']).toBe(10)
  })

  it('time is advanced in every task of an exchange', () => {
    const job = piped()
    job.processor.advanceTime(10)
    const times = job.processor.streamTimes()
    for (const task of [0, 1, 2, 3]) expect(times[`hundreds/${task}`]).toBe(10)
  })

  it('records carry no origin and no headers, and what fails is named by its step alone', () => {
    const rows = topic('rows', { key: string(), value: json<number>() })
    let fails = false
    const job = new PipedJob(({ stream }) => {
      stream(rows)
        .groupByKey()
        .windowedBy(tumbling(10))
        .count('tens', { emit: 'on-window-close' })
        .mapValues((n) => {
          if (fails) throw new Error('boom')
          return n
        })
        .toStream()
        .to(anyOut)
    })
    job.pipe(rows, { key: 'a', value: 1, at: 1, headers: [['h', null]] })
    job.pipe(rows, { key: 'a', value: 1, at: 11, headers: [['h', null]] })
    expect(job.raw.map(({ headers }) => headers)).toEqual([[['h', null]]])
    job.processor.closeWindows()
    expect(job.raw[1]?.headers).toEqual([])
    fails = true
    job.pipe(rows, { key: 'a', value: 1, at: 21 })
    expect(() => job.processor.closeWindows()).toThrow(
      expect.objectContaining({ code: 'USER_CODE_FAILED', at: { step: 'tens:table-map-values' } }),
    )
  })
})

describe('the record that moved stream time', () => {
  it("is named, and events of a range's end are not", () => {
    const job = piped()
    expect(job.processor.streamTimeMovedBy()).toBe('numbers[1]@0')
    job.pipe(numbers, { key: 'a', value: 1, at: 900, partition: 7 })
    expect(job.processor.streamTimeMovedBy()).toBe('numbers[7]@0')
    job.processor.advanceTime(5000)
    expect(job.processor.streamTimeMovedBy()).toBe('numbers[7]@0')
  })
})
