import { expect, it } from 'vitest'
import { ExchangeQueue } from '../../../src/runtime/input/exchange-queue.ts'

function fill(queue: ExchangeQueue, from: number, count: number): void {
  for (let n = from; n < from + count; n++) {
    const record = queue.add()
    record.value = { n }
    record.timestamp = n
  }
}

it('gives records in the order in which they came, those that come meanwhile last', () => {
  const queue = new ExchangeQueue()
  for (const round of [0, 1, 2]) {
    fill(queue, 0, 3)
    const taken: number[] = []
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      taken.push(next.timestamp)
      if (next.timestamp === 1) fill(queue, 3, round + 1)
    }
    expect(taken).toEqual([0, 1, 2, ...[3, 4, 5].slice(0, round + 1)])
    expect(queue.size).toBe(0)
  }
})

it('holds on to nothing once it is empty', () => {
  const queue = new ExchangeQueue()
  fill(queue, 0, 2000)
  const records = Array.from({ length: 2000 }, () => queue.take())
  expect(queue.take()).toBeUndefined()
  expect(records.slice(0, 1024).every((record) => record?.value === null)).toBe(true)
  fill(queue, 0, 2000)
  expect(records.slice(1024).some((record) => record?.timestamp !== records.indexOf(record))).toBe(false)
  expect(queue.size).toBe(2000)
})

it('forgets everything when it is cleared', () => {
  const queue = new ExchangeQueue()
  fill(queue, 0, 5)
  queue.take()
  queue.clear()
  expect(queue.size).toBe(0)
  expect(queue.take()).toBeUndefined()
})
