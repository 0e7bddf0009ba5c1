import { expect, it } from 'vitest'
import { TaskTimes } from '../../../src/runtime/task-times.ts'

const origin = { topic: 't', partition: 0, offset: -1 }
const at = (offset: number) => Object.assign(origin, { offset })

it('keeps a time for each step and task, and gives only those that have moved', () => {
  const times = new TaskTimes({ 'a/0': 5, 'x/y/3': 9 }, at(-1))
  expect(times.of('a', 0).advance(4)).toBe(false)
  expect(times.of('a', 0).advance(6)).toBe(true)
  expect(times.of('a', 1).value).toBe(-1)
  expect(times.of('b', 12).advance(0)).toBe(true)
  expect(times.of('a', 0)).toBe(times.of('a', 0))
  expect(times.snapshot()).toEqual({ 'a/0': 6, 'x/y/3': 9, 'b/12': 0 })
})

it('knows the tasks of a step, in order', () => {
  const times = new TaskTimes({ 'a/10': 1, 'a/2': 1, 'a/b/7': 1, 'ba/1': 1 }, at(-1))
  times.of('a', 4)
  expect(times.tasksOf('a')).toEqual([2, 10])
})

it('names the record that moved the greatest time last', () => {
  const times = new TaskTimes({ 'a/0': 100 }, at(0))
  times.of('a', 1).advance(50)
  expect(times.movedBy()).toBeNull()
  at(7)
  times.of('b', 0).advance(101)
  at(8)
  times.of('a', 0).advance(101)
  expect(times.movedBy()).toBe('t[0]@7')
  at(-1)
  times.of('a', 0).advance(500)
  expect(times.movedBy()).toBe('t[0]@7')
})
