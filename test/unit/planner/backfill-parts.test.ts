import { describe, expect, it } from 'vitest'
import { type BackfillPart, offsetsOf, partsDone, planOfPart } from '../../../src/planner/backfill/backfill-part.ts'
import { cutParts } from '../../../src/planner/backfill/cut-parts.ts'
import { missingParts } from '../../../src/planner/backfill/missing-parts.ts'
import { coverageOf } from '../../../src/planner/coverage.ts'
import { hashPlan } from '../../../src/planner/plan-hash.ts'
import type { Plan } from '../../../src/planner/plan-types.ts'
import { LogFixture } from './log-fixture.ts'
import { planWith } from './plans.ts'

const table = { topic: 'tab', partition: 0, role: 'table', rank: 1, startedBy: 'log-start' } as const
const stream = (partition: number) => ({ topic: 'in', partition, role: 'stream', rank: 0, startedBy: 'from' }) as const

const whole = (changes: Partial<Plan> = {}) =>
  planWith({
    partitions: [
      { ...table, from: 0, to: 2 },
      { ...stream(0), from: 1, to: 5 },
      { ...stream(1), from: 0, to: 1 },
    ],
    asked: { from: '@10', to: '@40' },
    times: { from: 10, to: 40 },
    topicIds: { in: 'i', tab: 't' },
    ...changes,
  })

async function timedLog() {
  const fixture = new LogFixture()
  await fixture.create('in', 2)
  await fixture.create('tab')
  await fixture.append('tab/0', [0, 25])
  await fixture.append('in/0', [5, 10, 19, 20, 39, 40])
  await fixture.append('in/1', [35, 45])
  return { log: fixture.log, latest: Number.POSITIVE_INFINITY }
}

const ranges = (parts: readonly BackfillPart[]) =>
  parts.map((part) => part.ranges.map(({ from, to }) => [from, to] as const))

describe('parts of a backfill', () => {
  it('are one without a size', async () => {
    const parts = await cutParts(whole(), null, await timedLog())
    expect(parts).toMatchObject([{ to: '@40', times: { from: 10, to: 40 } }])
    expect(ranges(parts)).toEqual([[[0, 2], [1, 5], [0, 1]]]) // biome-ignore format: one line a part
  })

  it('end at times, a span apart, the last one where the whole ends', async () => {
    const parts = await cutParts(whole(), { kind: 'time', ms: 12 }, await timedLog())
    expect(parts.map(({ times }) => times)).toEqual([
      { from: 10, to: 22 },
      { from: 22, to: 34 },
      { from: 34, to: 40 },
    ])
    expect(ranges(parts)).toEqual([
      [[0, 1], [1, 4], [0, 0]], // biome-ignore format: one line a part
      [[1, 2], [4, 4], [0, 0]], // biome-ignore format: one line a part
      [[2, 2], [4, 5], [0, 1]], // biome-ignore format: one line a part
    ])
  })

  it('end where so many offsets are read, and have the tables in the first one', async () => {
    const parts = await cutParts(whole(), { kind: 'offsets', count: 3 }, await timedLog())
    expect(ranges(parts)).toEqual([
      [[0, 2], [1, 4], [0, 1]], // biome-ignore format: one line a part
      [[2, 2], [4, 5], [1, 1]], // biome-ignore format: one line a part
    ])
  })

  it('need times for a span, and are not too many', async () => {
    const log = await timedLog()
    const untimed = whole({ times: { from: null, to: 40 } })
    await expect(cutParts(untimed, { kind: 'time', ms: 12 }, log)).rejects.toMatchObject({ code: 'USAGE' })
    const long = whole({ times: { from: 0, to: 20_000 } })
    await expect(cutParts(long, { kind: 'time', ms: 1 }, log)).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('are what no run has processed: one for each stretch that is missing', () => {
    const processed = (from: number, to: number) => ({ topic: 'in', partition: 0, topicId: 'i', runId: 'r', from, to })
    const parts = missingParts(whole(), coverageOf([processed(2, 3), processed(4, 9)]))
    expect(ranges(parts)).toEqual([
      [[0, 2], [1, 2], [0, 1]], // biome-ignore format: one line a part
      [[2, 2], [3, 4], [1, 1]], // biome-ignore format: one line a part
    ])
    expect(missingParts(whole(), coverageOf([processed(0, 9), { ...processed(0, 1), partition: 1 }]))).toEqual([])
  })
})

describe('how far a backfill is', () => {
  it('is told by the offsets that were reached', async () => {
    const parts = await cutParts(whole(), { kind: 'time', ms: 12 }, await timedLog())
    expect(offsetsOf(parts)).toBe(7)
    const done = (offsets?: Record<string, number>) => partsDone(parts, offsets)
    expect(done()).toBe(0)
    expect(done({ 'tab/0': 1, 'in/0': 3, 'in/1': 0 })).toBe(0)
    expect(done({ 'tab/0': 1, 'in/0': 4, 'in/1': 0 })).toBe(1)
    expect(done({ 'tab/0': 2, 'in/0': 4, 'in/1': 0 })).toBe(2)
    expect(done({ 'tab/0': 2, 'in/0': 5, 'in/1': 1 })).toBe(3)
  })
})

it('the plan of a part is whole in itself, and says once what is odd', async () => {
  const odd = whole({ notices: ['odd'], gaps: [{ topic: 'in', partition: 0, from: 0, to: 1 }] })
  const [first, second] = await cutParts(odd, { kind: 'offsets', count: 3 }, await timedLog())
  const plans = [first, second].map((part, index) => planOfPart(odd, part as BackfillPart, index === 0))
  expect(plans).toMatchObject([
    { notices: ['odd'], gaps: [{ to: 1 }], partitions: [{ startedBy: 'log-start' }, { from: 1, to: 4 }, {}] },
    { notices: [], gaps: [], partitions: [{ startedBy: 'checkpoint' }, { from: 4, to: 5 }, {}] },
  ])
  for (const plan of plans) expect(plan.hash).toBe(hashPlan(plan))
})
