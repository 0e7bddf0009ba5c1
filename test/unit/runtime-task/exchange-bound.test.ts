import { string } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from './piped-job.ts'
import { anyOut, numbers } from './topics.ts'

const MOST_WAITING = 10_000
const MANY = 35_000

it('one record that sends very many has a bounded number of them wait, through every exchange', () => {
  let waiting = 0
  let most = 0
  const sent = function* (count: number) {
    for (let n = 0; n < count; n++) {
      most = Math.max(most, ++waiting)
      yield [`k${n}`, n] as const
    }
  }
  const arrived = () => waiting--
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .flatMap((v) => sent(v ?? 0), string())
      .repartition('one')
      .peek(arrived)
      .flatMap((n) => sent(n % 1000 === 0 ? 20 : 1), string())
      .repartition('two')
      .peek(arrived)
      .groupByKey()
      .count('counts')
  }, 3)
  piped.pipe(numbers, { key: 'k', value: MANY })
  expect(waiting).toBe(0)
  expect(most).toBeGreaterThan(MOST_WAITING / 2)
  expect(most).toBeLessThan(MOST_WAITING + 5)
  const counts = piped.store('counts')
  expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(MANY + (MANY / 1000) * 19)
})

it('records go on in the order in which they were sent, each with its headers and key', () => {
  const piped = new PipedJob(({ stream }) => {
    const all = stream(numbers).flatMapValues((v) => Array.from({ length: v ?? 0 }, (_, n) => n))
    all
      .selectKey((n) => `${n}`, string())
      .repartition('far')
      .to(anyOut)
    all.mapValues((n) => -n).to(anyOut)
  })
  const headers = [['trace', Buffer.from('1')]] as const
  piped.pipe(numbers, { key: 'k', value: MANY, headers })
  const near = piped.raw.filter(({ key }) => key === '"k"')
  const far = piped.raw.filter(({ key }) => key !== '"k"')
  expect(near.map(({ value }) => value)).toEqual(Array.from({ length: MANY }, (_, n) => `${-n}`))
  expect(far.map(({ value }) => Number(value))).toEqual(Array.from({ length: MANY }, (_, n) => n))
  expect(far.every(({ key, value }) => key === `"${value}"`)).toBe(true)
  expect(piped.raw.every((record) => record.headers === headers)).toBe(true)
})

it('what fails on its way is told with its step, and leaves nothing waiting', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .flatMap(
        (v) => Array.from({ length: Math.abs(v ?? 0) }, (_, n) => [`${n}`, v === MANY && n === 7] as const),
        string(),
      )
      .repartition('far')
      .mapValues((fails) => {
        if (fails) throw new Error('seven')
        return fails
      })
      .to(anyOut)
  })
  expect(() => piped.pipe(numbers, { key: 'k', value: MANY })).toThrow(/seven/)
  expect(piped.emitted()).toHaveLength(7)
  expect(piped.pipe(numbers, { key: 'k', value: 3 })).toHaveLength(3)
})
