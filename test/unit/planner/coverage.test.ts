import { describe, expect, it } from 'vitest'
import { coverageOf, missingRanges, type Span } from '../../../src/planner/coverage.ts'
import type { ProcessedRange } from '../../../src/planner/processed-range.ts'

const range = (runId: string, from: number, to: number, more: Partial<ProcessedRange> = {}): ProcessedRange => ({
  topic: 't',
  partition: 0,
  topicId: 'id',
  runId,
  from,
  to,
  ...more,
})
const span = (from: number, to: number): Span => ({ from, to })

describe('coverage', () => {
  it.each<[what: string, ranges: ProcessedRange[], covered: Span[], gaps: Span[], overlaps: object[]]>([
    ['of one run', [range('a', 0, 5)], [span(0, 5)], [], []],
    ['of runs that follow each other', [range('a', 0, 5), range('b', 5, 9)], [span(0, 9)], [], []],
    ['in any order', [range('b', 5, 9), range('a', 0, 5)], [span(0, 9)], [], []],
    ['with a gap', [range('a', 2, 5), range('b', 7, 9)], [span(2, 5), span(7, 9)], [span(5, 7)], []],
    ['with an overlap', [range('a', 0, 5), range('b', 3, 9)], [span(0, 9)], [], [{ ...span(3, 5), runs: ['a', 'b'] }]],
    [
      'with a run inside another and one across its end',
      [range('a', 0, 10), range('b', 2, 4), range('c', 8, 12)],
      [span(0, 12)],
      [],
      [
        { ...span(2, 4), runs: ['a', 'b'] },
        { ...span(8, 10), runs: ['a', 'c'] },
      ],
    ],
    [
      'of the same range three times',
      [range('a', 1, 3), range('b', 1, 3), range('c', 1, 3)],
      [span(1, 3)],
      [],
      [{ ...span(1, 3), runs: ['a', 'b', 'c'] }],
    ],
    [
      'where overlaps of different runs touch',
      [range('a', 0, 9), range('b', 0, 4), range('c', 4, 9)],
      [span(0, 9)],
      [],
      [
        { ...span(0, 4), runs: ['a', 'b'] },
        { ...span(4, 9), runs: ['a', 'c'] },
      ],
    ],
  ])('%s', (_, ranges, covered, gaps, overlaps) => {
    expect(coverageOf(ranges)).toEqual([{ topic: 't', partition: 0, topicId: 'id', covered, gaps, overlaps }])
  })

  it('knows nothing of ranges that are empty', () => {
    expect(coverageOf([range('a', 5, 5)])).toEqual([])
  })

  it('is apart for topics, partitions, and topics made again under their name', () => {
    const ranges = [
      range('b', 0, 3, { topicId: 'new' }),
      range('a', 0, 9),
      range('a', 0, 1, { partition: 10 }),
      range('a', 0, 1, { partition: 2 }),
      range('a', 0, 1, { topic: 's' }),
    ]
    expect(coverageOf(ranges).map(({ topic, partition, topicId }) => `${topic}/${partition} ${topicId}`)).toEqual([
      's/0 id',
      't/0 id',
      't/0 new',
      't/2 id',
      't/10 id',
    ])
    expect(coverageOf(ranges).flatMap(({ overlaps }) => overlaps)).toEqual([])
  })
})

describe('what is missing', () => {
  const coverage = coverageOf([range('a', 2, 5), range('b', 7, 9), range('a', 0, 4, { partition: 1 })])
  const within = (from: number, to: number, partition = 0) => ({ topic: 't', partition, from, to })

  it.each<[from: number, to: number, missing: Span[]]>([
    [0, 12, [span(0, 2), span(5, 7), span(9, 12)]],
    [2, 5, []],
    [3, 8, [span(5, 7)]],
    [5, 7, [span(5, 7)]],
    [6, 6, []],
    [20, 22, [span(20, 22)]],
  ])('of [%d, %d)', (from, to, missing) => {
    expect(missingRanges(coverage, [within(from, to)], { t: 'id' })).toEqual(
      missing.map((part) => ({ topic: 't', partition: 0, ...part })),
    )
  })

  it('of a partition that nothing has read is all of it', () => {
    expect(missingRanges(coverage, [within(1, 3, 7)], { t: 'id' })).toEqual([within(1, 3, 7)])
  })

  it('does not count what was read of another topic of that name', () => {
    expect(missingRanges(coverage, [within(2, 5)], { t: 'new' })).toEqual([within(2, 5)])
  })
})
