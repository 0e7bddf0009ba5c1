import { describe, expect, it } from 'vitest'
import { parsePlan } from '../../../src/planner/parse-plan.ts'
import { hashPlan } from '../../../src/planner/plan-hash.ts'
import { planWith } from './plans.ts'
import { thrown } from './thrown.ts'

describe('a kept plan', () => {
  it('reads back as it was', () => {
    const plan = planWith({ notices: ['held at «5»'], gaps: [{ topic: 'flights', partition: 1, from: 0, to: 2 }] })
    expect(parsePlan(JSON.stringify(plan))).toEqual(plan)
  })

  it.each<[what: string, text: string, code: string]>([
    ['with a changed offset', JSON.stringify(planWith()).replace('"to":8', '"to":9'), 'STATE_DAMAGED'],
    ['with a field more', JSON.stringify({ ...planWith(), more: 1 }), 'STATE_DAMAGED'],
    ['without its hash', JSON.stringify({ ...planWith(), hash: undefined }), 'STATE_DAMAGED'],
    ['cut off', JSON.stringify(planWith()).slice(0, -1), 'STATE_DAMAGED'],
    ['that is empty', '', 'STATE_DAMAGED'],
    ['that is null', 'null', 'STATE_DAMAGED'],
    ['that is a list', '[]', 'STATE_DAMAGED'],
    ['of another version', JSON.stringify({ ...planWith(), version: 2 }), 'STATE_INCOMPATIBLE'],
    ['without a version', '{}', 'STATE_INCOMPATIBLE'],
  ])('%s is refused', async (_, text, code) => {
    expect((await thrown(() => parsePlan(text))).code).toBe(code)
  })
})

describe('the hash of a plan', () => {
  it('is 64 hexadecimal digits and does not depend on the order of fields', () => {
    const plan = planWith()
    expect(plan.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hashPlan(Object.fromEntries(Object.entries(plan).reverse()) as never)).toBe(plan.hash)
  })

  it.each([
    ['job', { job: 'other' }],
    ['generation', { generation: 'g2' }],
    ['bounds', { asked: { from: 'checkpoint', to: '8' } }],
    ['partitions', { partitions: planWith().partitions.toReversed() }],
    ['topic ids', { topicIds: { airlines: 'a', flights: 'g' } }],
    ['time to advance to', { advanceTo: 5 }],
    ['notices', { notices: ['x'] }],
  ])('differs with the %s', (_, change) => {
    expect(planWith(change).hash).not.toBe(planWith().hash)
  })
})
