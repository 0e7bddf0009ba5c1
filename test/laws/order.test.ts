import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comesBefore, type MergeHead } from '../../src/planner/merge-head.ts'
import { compareOrder, comparePlaces } from '../../src/planner/merge-order.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { mergeByNextTime, nameOf, orderKeys, type TimedPartition } from './naive-merge.ts'

/** Few distinct times, so that ties are common; not in order, so that floors matter. */
const partition = fc.record({
  role: fc.constantFrom('table' as const, 'stream' as const),
  rank: fc.nat(2),
  partition: fc.nat(2),
  first: fc.nat(5),
  times: fc.array(fc.nat(9), { maxLength: 12 }),
})

const partitions = fc.uniqueArray(partition, {
  maxLength: 6,
  selector: ({ rank, partition }) => `${rank}/${partition}`,
})

describe('the merged order', () => {
  it('is a sort by floor, place and offset', () => {
    const property = fc.property(partitions, (inputs) => {
      expect([...orderKeys(inputs)].sort(compareOrder).map(nameOf)).toEqual(mergeByNextTime(inputs))
    })
    fc.assert(property, propertyRuns(500))
  })

  it('goes on the same after a cut anywhere on it, with floors that begin anew', () => {
    const property = fc.property(partitions, fc.nat(60), (inputs, at) => {
      const whole = mergeByNextTime(inputs)
      const cut = Math.min(at, whole.length)
      const rest = inputs.map((input) => after(input, whole.slice(0, cut)))
      expect([...orderKeys(rest)].sort(compareOrder).map(nameOf)).toEqual(whole.slice(cut))
    })
    fc.assert(property, propertyRuns(500))
  })

  it('has every cut at a time as a beginning: each partition up to its first record at or past it', () => {
    const property = fc.property(partitions, fc.nat(10), (inputs, time) => {
      const before = inputs.map((input) => {
        const end = input.times.findIndex((at) => at >= time)
        return end < 0 ? input : { ...input, times: input.times.slice(0, end) }
      })
      const cut = mergeByNextTime(before)
      expect(mergeByNextTime(inputs).slice(0, cut.length)).toEqual(cut)
    })
    fc.assert(property, propertyRuns(500))
  })

  it('is taken from heads that move, one comparison at a time', () => {
    const property = fc.property(partitions, (inputs) => {
      expect(mergeByHeads(inputs)).toEqual(mergeByNextTime(inputs))
    })
    fc.assert(property, propertyRuns(500))
  })

  it('does not depend on the order in which partitions are given', () => {
    const property = fc.property(partitions, (inputs) => {
      expect(mergeByNextTime([...inputs].reverse())).toEqual(mergeByNextTime(inputs))
    })
    fc.assert(property, propertyRuns(100))
  })

  it('puts tables first, then rank, partition and offset, where times are equal', () => {
    const at = (role: 'table' | 'stream', rank: number, partition: number, offset: number) => ({
      floor: 5,
      role,
      rank,
      partition,
      offset,
    })
    const ordered = [
      { ...at('stream', 9, 9, 9), floor: 4 },
      at('table', 1, 0, 7),
      at('table', 1, 0, 8),
      at('table', 1, 1, 0),
      at('table', 2, 0, 0),
      at('stream', 0, 0, 0),
      at('stream', 0, 2, 0),
      at('stream', 1, 0, 0),
      { ...at('table', 0, 0, 0), floor: 6 },
    ]
    expect([...ordered].reverse().sort(compareOrder)).toEqual(ordered)
  })
})

/** What is left of a partition when the records named in `taken` are gone. */
function after(input: TimedPartition, taken: readonly string[]): TimedPartition {
  const gone = input.times.filter((_, index) =>
    taken.includes(nameOf({ ...input, offset: input.first + index })),
  ).length
  return { ...input, first: input.first + gone, times: input.times.slice(gone) }
}

interface Head extends MergeHead {
  readonly input: TimedPartition
  index: number
}

function mergeByHeads(inputs: readonly TimedPartition[]): readonly string[] {
  const heads = [...inputs]
    .sort(comparePlaces)
    .map((input, order): Head => ({ input, order, index: -1, floor: Number.NEGATIVE_INFINITY }))
    .filter(moveOn)
  const merged: string[] = []
  while (heads.length > 0) {
    const next = heads.reduce((least, head) => (comesBefore(head, least) ? head : least))
    merged.push(nameOf({ ...next.input, offset: next.input.first + next.index }))
    if (!moveOn(next)) heads.splice(heads.indexOf(next), 1)
  }
  return merged
}

/** Moves a head to its partition's next record; false where there is none. */
function moveOn(head: Head): boolean {
  const time = head.input.times[++head.index]
  if (time === undefined) return false
  head.floor = Math.max(head.floor, time)
  return true
}
