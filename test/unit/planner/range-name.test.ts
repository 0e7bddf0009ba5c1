import { describe, expect, it } from 'vitest'
import { rangeBounds } from '../../../src/planner/range-bounds.ts'
import { rangeName } from '../../../src/planner/range-name.ts'
import { planWith } from './plans.ts'

const time = (iso: string) => Date.parse(iso)

describe('the default name of a range', () => {
  it.each<[from: string, to: string, times: { from: number | null; to: number | null }, name: RegExp]>([
    ['5', '10', { from: null, to: null }, /^5_10$/],
    [
      '2013-01-01T00:00:00Z',
      '2013-02-01T00:00:00Z',
      { from: time('2013-01-01T00:00Z'), to: time('2013-02-01T00:00Z') },
      /^2013-01-01_2013-02-01$/,
    ],
    [
      '2013-01-01T06:30:00Z',
      '2013-01-01T07:00:00.250Z',
      { from: time('2013-01-01T06:30Z'), to: time('2013-01-01T07:00:00.250Z') },
      /^2013-01-01T063000Z_2013-01-01T070000\.250Z$/,
    ],
    [
      '-6h',
      '-0s',
      { from: time('2013-01-01T06:00Z'), to: time('2013-01-01T12:00Z') },
      /^2013-01-01T060000Z_2013-01-01T120000Z$/,
    ],
    ['2013-01-01T00:00:00Z', 'latest', { from: time('2013-01-01T00:00Z'), to: null }, /^2013-01-01_x[0-9a-f]{8}$/],
    ['earliest', 'latest', { from: null, to: null }, /^x[0-9a-f]{8}$/],
    ['earliest', '+10', { from: null, to: null }, /^x[0-9a-f]{8}$/],
    ['checkpoint', '10', { from: null, to: null }, /^x[0-9a-f]{8}_10$/],
    ['flights/0=5', '10', { from: null, to: null }, /^x[0-9a-f]{8}_10$/],
    ['@253402300800000', '10', { from: 253_402_300_800_000, to: null }, /^t253402300800000_10$/],
  ])('of %s to %s', (from, to, times, name) => {
    const plan = planWith({ asked: { from, to }, times })
    expect(rangeName(plan)).toMatch(name)
    expect(rangeName(plan)).toMatch(/^[A-Za-z0-9._-]+$/)
  })

  it('hashes what the bounds resolved to, on which topics, and nothing else', () => {
    const asked = { from: 'earliest', to: 'latest' }
    const plan = planWith({ asked })
    expect(rangeName(planWith({ asked, notices: ['x'], heldBack: 3, job: 'other' }))).toBe(rangeName(plan))
    const longer = plan.partitions.map((partition) => ({ ...partition, to: partition.to + 1 }))
    expect(rangeName(planWith({ asked, partitions: longer }))).not.toBe(rangeName(plan))
    expect(rangeName(planWith({ asked, topicIds: { airlines: 'a', flights: 'new' } }))).not.toBe(rangeName(plan))
  })

  it('of bounds that name everything does not depend on what they resolved to', () => {
    const asked = { from: '5', to: '10' }
    expect(rangeName(planWith({ asked, partitions: [] }))).toBe('5_10')
  })
})

describe('the bounds of a range as text', () => {
  const END = { advanceTo: null, closeWindows: false }

  it('say what was asked of its end', () => {
    const plan = { asked: { from: '5', to: '@9' }, times: { from: null, to: 9 } }
    const texts = [END, { ...END, advanceTo: 9 }, { ...END, closeWindows: true }].map((end) =>
      rangeBounds({ ...plan, ...end }),
    )
    expect(texts).toEqual([texts[0], `${texts[0]} with --advance-time`, `${texts[0]} with --close-windows`])
  })

  it('hold a duration as the time it stood for', () => {
    const six = time('2013-01-01T06:00Z')
    expect(rangeBounds({ ...END, asked: { from: '-6h', to: 'latest' }, times: { from: six, to: null } })).toBe(
      '2013-01-01T06:00:00Z to latest',
    )
  })

  it('are the same where the same was meant', () => {
    const times = { from: null, to: null }
    expect(rangeBounds({ ...END, asked: { from: 'b/0=1,a/0=2', to: '010' }, times })).toBe(
      rangeBounds({ ...END, asked: { from: 'a/0=2,b/0=1', to: '10' }, times }),
    )
  })
})
