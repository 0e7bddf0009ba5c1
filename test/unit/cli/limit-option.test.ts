import { expect, it } from 'vitest'
import { limitOption } from '../../../src/cli/limit-option.ts'

it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('--limit %s is refused', (limit) => {
  expect(() => limitOption(limit)).toThrow(expect.objectContaining({ code: 'USAGE', exit: 64 }))
})

it('--limit takes a whole number from 1 on', () => {
  expect([1, 20, 100_000].map(limitOption)).toEqual([1, 20, 100_000])
})
