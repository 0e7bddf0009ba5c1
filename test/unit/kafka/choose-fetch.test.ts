import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseFetch, type Fetchable } from '../../../src/adapters/kafka/reader/choose-fetch.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'

const KIB = 1024
const MIB = 1024 * KIB

let made = 0

/** A range in a partition of its own. */
function range(change: Partial<Fetchable> = {}): Fetchable {
  return { name: `t[${made++}]`, isAwaited: false, queuedBytes: 0, ...change }
}

describe('which ranges are fetched', () => {
  it('reads all ahead while there is room, a half of the share of each', () => {
    const ranges = [range(), range(), range(), range()]
    expect(chooseFetch(ranges, 4 * MIB, 0, 4)).toEqual(ranges.map((each) => ({ range: each, maxBytes: 512 * KIB })))
  })

  it('begins with those that are waited for, then the emptiest', () => {
    const [full, half, idle] = [range({ queuedBytes: 100 }), range({ queuedBytes: 50 }), range()]
    const awaited = range({ isAwaited: true, queuedBytes: 200 })
    const chosen = chooseFetch([full, idle, half, awaited], 8 * MIB, 0, 4)
    expect(chosen.map((choice) => choice.range)).toEqual([awaited, idle, half, full])
  })

  it('fetches what is waited for even without room, one batch of it', () => {
    const [awaited, other] = [range({ isAwaited: true }), range()]
    expect(chooseFetch([other, awaited], MIB, 2 * MIB, 2)).toEqual([{ range: awaited, maxBytes: 1 }])
  })

  it('reads nothing ahead into a buffer that is too small for it', () => {
    const awaited = range({ isAwaited: true })
    expect(chooseFetch([range()], 1, 0, 1)).toEqual([])
    expect(chooseFetch([range(), awaited], 8000, 0, 2)).toEqual([{ range: awaited, maxBytes: 4000 }])
  })

  it('asks for no more at a time than makes anything faster', () => {
    const one = range()
    expect(chooseFetch([one], 1024 * MIB, 0, 1)).toEqual([{ range: one, maxBytes: 4 * MIB }])
    expect(chooseFetch([range({ queuedBytes: 4 * MIB })], 1024 * MIB, 4 * MIB, 1)).toEqual([])
  })

  it('asks for one range of a partition at a time: what is waited for', () => {
    const [first, second] = [range({ name: 't[0]' }), range({ name: 't[0]', isAwaited: true })]
    expect(chooseFetch([first, second], MIB, 0, 2).map((choice) => choice.range)).toEqual([second])
  })

  it('asks for some of very many ranges, not for none', () => {
    const many = Array.from({ length: 10_000 }, () => range())
    const chosen = chooseFetch(many, 32 * MIB, 0, many.length)
    expect(chosen).toHaveLength(2048)
    expect(chosen[0]?.maxBytes).toBe(16 * KIB)
  })

  it('never asks for more than there is room for, but for what is waited for', () => {
    const given = fc.record({
      name: fc.constantFrom('t[0]', 't[1]', 't[2]', 't[3]', 't[4]', 't[5]'),
      isAwaited: fc.boolean(),
      queuedBytes: fc.nat(10 * MIB),
    })
    const property = fc.property(
      fc.array(given, { maxLength: 50 }),
      fc.nat(40 * MIB),
      fc.nat(40 * MIB),
      (ranges, bufferBytes, heldBytes) => {
        const chosen = chooseFetch(ranges, bufferBytes, heldBytes, Math.max(1, ranges.length))
        const asked = chosen.reduce((sum, { maxBytes }) => sum + maxBytes, 0)
        const least = chosen.filter((choice) => choice.range.isAwaited).length
        expect(asked).toBeLessThanOrEqual(Math.max(0, bufferBytes - heldBytes) + least)
        const names = chosen.map((choice) => choice.range.name)
        expect(names).toEqual([...new Set(names)])
        for (const { name } of ranges.filter(({ isAwaited }) => isAwaited)) {
          expect(chosen.find((choice) => choice.range.name === name)?.range.isAwaited).toBe(true)
        }
      },
    )
    fc.assert(property, propertyRuns(200))
  })
})
