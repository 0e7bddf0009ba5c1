import { describe, expect, it } from 'vitest'
import { runInWords } from '../../../src/cli/output/run-words.ts'
import type { RunRow } from '../../../src/ports/history.ts'
import { planWith } from '../planner/plans.ts'

const RUN: RunRow = {
  runId: 'r',
  job: 'delays',
  generation: 'g1',
  trigger: 'manual',
  attempt: 1,
  status: 'done',
  startedAt: 0,
  finishedAt: 1200,
  durationMs: 1200,
  jobHash: '',
  planHash: '',
  plan: '',
  slices: 2,
  records: 12_000,
  partitions: [
    { topic: 'flights', partition: 0, from: 1000, to: 13_000, records: 12_000 },
    { topic: 'flights', partition: 1, from: 7, to: 7, records: 0 },
  ],
  steps: {
    'late:sink': { outputs: 3 },
    'delays:sink': { outputs: 11_000 },
    'delays:sink-2': { outputs: 500 },
    hourly: { late: 3, droppedWindows: 3 },
  },
  heldBack: 0,
  streamTime: Date.UTC(2013, 0, 31),
  streamTimeBy: 'flights[0]@12999',
  movedRows: 0,
  notices: ['odd'],
  stores: [{ name: 'hourly', entries: 1234 }],
  error: null,
}

const words = (changes: Partial<RunRow>) => runInWords({ ...RUN, ...changes })

describe('a run in words', () => {
  it('says what was read, written and kept, by topic and by store', () => {
    expect(words({})).toBe(
      [
        'delays (g1) read 12,000 records in 2 slices in 1.2s',
        '',
        'topic    partition   from      to  records',
        'flights          0  1,000  13,000   12,000',
        '',
        'wrote: 11,500 records to delays, 3 records to late',
        'keeps: 1,234 rows in hourly',
        'late: 3 records (at hourly)',
        'stream time: 2013-01-31T00:00Z; the last record that moved it: flights[0]@12999',
        '',
        'note: odd',
      ].join('\n'),
    )
  })

  it.each([
    [{ status: 'done', slices: 0 }, 'delays (g1): nothing to do'],
    [{ status: 'failed' }, 'delays (g1) failed after 12,000 records in 2 slices in 1.2s'],
    [
      { status: 'interrupted', attempt: 2 },
      'delays (g1, attempt 2) was stopped after 12,000 records in 2 slices in 1.2s',
    ],
    [{ status: 'crashed', durationMs: null }, 'delays (g1) crashed after 12,000 records in 2 slices'],
    [
      { status: 'running', durationMs: null, slices: 1 },
      'delays (g1) is running and has read 12,000 records in 1 slice',
    ],
    [{ trigger: 'reset', slices: 0 }, 'delays (g1) was reset'],
  ] satisfies [Partial<RunRow>, string][])('begins with how it went: %o', (changes, headline) => {
    expect(words(changes).split('\n')[0]).toBe(headline)
  })

  it.each([
    [{ advanceTo: Date.UTC(2013, 0, 31) }, ', moved there as asked'],
    [{ advanceTo: Date.UTC(2013, 0, 30) }, '; the last record that moved it: flights[0]@12999'],
    [{ closeWindows: true }, '; every window that was open is closed, as asked'],
  ])('says what moved stream time: %o', (asked, how) => {
    expect(words({ plan: JSON.stringify(planWith(asked)) })).toContain(`\nstream time: 2013-01-31T00:00Z${how}\n`)
  })

  it('says that a range was covered before', () => {
    expect(runInWords(RUN, 'covered')).toBe('delays (g1): this range is already covered; nothing was read')
  })

  it('counts at each step what did not come through', () => {
    const steps = {
      hourly: { late: 3, droppedWindows: 5, skipped: { 'null-key': 2 } },
      daily: { late: 1, droppedWindows: 1, deadLettered: 4 },
    }
    expect(words({ steps, heldBack: 1 })).toContain(
      [
        'late: 4 records, 6 windows missed (3 at hourly, 1 at daily)',
        'skipped: 2 records (2 null-key at hourly)',
        'dead letters: 4 records',
        'held back by open transactions: 1 offset',
      ].join('\n'),
    )
  })

  it('leaves out what there is nothing of', () => {
    expect(words({ partitions: [], steps: {}, stores: [], streamTime: null, notices: [] })).toBe(
      'delays (g1) read 12,000 records in 2 slices in 1.2s',
    )
  })
})
