import { describe, expect, it } from 'vitest'
import { describePlan } from '../../../src/planner/describe-plan.ts'
import { planWith } from './plans.ts'

describe('a plan in words', () => {
  it('says what is read, and has a row for each partition', () => {
    const { sentences, rows, notices } = describePlan(planWith({ notices: ['2 held back'] }))
    expect(sentences).toEqual([
      'delays (g1) reads 19 offsets of 2 partitions in 2 topics',
      'from checkpoint: where the run before stopped',
      'to latest: the last stable offset when the plan was made',
    ])
    expect(rows).toEqual([
      {
        topic: 'airlines',
        partition: 0,
        role: 'table',
        from: 0,
        to: 16,
        offsets: 16,
        starts: 'first run: the log start',
      },
      { topic: 'flights', partition: 0, role: 'stream', from: 5, to: 8, offsets: 3, starts: 'checkpoint' },
    ])
    expect(notices).toEqual(['2 held back'])
  })

  it.each<[from: string, to: string, times: { from: number | null; to: number | null }, words: [RegExp, RegExp]]>([
    ['earliest', 'earliest', { from: null, to: null }, [/the first offset that is there/, /the first offset/]],
    ['latest', 'checkpoint', { from: null, to: null }, [/where the log ended/, /live generation's checkpoint/]],
    ['5', '7', { from: null, to: null }, [/in every stream partition/, /in every partition/]],
    ['+5', '+7', { from: null, to: null }, [/past the log start/, /that many offsets from the start/]],
    ['t/0=5', 't/0=7', { from: null, to: null }, [/these offsets/, /these offsets/]],
    [
      '-6h',
      '@7000',
      { from: 1000, to: 7000 },
      [/at or past 1970-01-01T00:00:01Z/, /at or past 1970-01-01T00:00:07Z, else the last stable/],
    ],
  ])('says what %s and %s resolved to', (from, to, times, [start, end]) => {
    const { sentences } = describePlan(planWith({ asked: { from, to }, times }))
    expect(sentences[1]).toMatch(start)
    expect(sentences[2]).toMatch(end)
  })

  it('says what happens at the end', () => {
    const { sentences } = describePlan(
      planWith({ advanceTo: 60_000, closeWindows: true, isolation: 'read_uncommitted' }),
    )
    expect(sentences.slice(2)).toEqual([
      'to latest: the high watermark when the plan was made',
      'at the end stream time moves to 1970-01-01T00:01:00Z',
      'at the end every open window is closed',
    ])
  })
})
