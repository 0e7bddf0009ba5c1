import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parsePlan } from '../../../src/planner/parse-plan.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { LogFixture } from './log-fixture.ts'
import { checkpointAfter, planOn, sources } from './requests.ts'

const step = fc.record({
  records: fc.array(fc.record({ partition: fc.nat(2), time: fc.nat(40), aborted: fc.boolean() }), { maxLength: 6 }),
  grows: fc.boolean(),
  to: fc.oneof(
    fc.constantFrom('latest', 'earliest', 'checkpoint', '+2', '3', '-0s'),
    fc.nat(45).map((time) => `@${time}`),
  ),
})

/** Whatever the bounds, and whatever comes between runs: every offset is in one run, none is lost, none is read ahead. */
it('plans follow each other without a gap, an overlap or a step past the log', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
    const fixture = new LogFixture()
    await fixture.create('t')
    let { plan } = await planOn(fixture)
    let partitions = 1
    for (const { records, grows, to } of steps) {
      if (grows) await fixture.log.admin().alter('t', { partitions: ++partitions })
      for (const { partition, time, aborted } of records) {
        const key = `t/${partition % partitions}`
        if (aborted) fixture.transaction(key, [time]).abort()
        else await fixture.append(key, [time])
      }
      const checkpoint = checkpointAfter(fixture, plan)
      const next = await planOn(fixture, { checkpoint, to, sources: sources('t') })
      const bounds = await fixture.log.bounds(next.plan.partitions, 'read_committed')
      for (const [index, { from, to: end, partition }] of next.plan.partitions.entries()) {
        expect(from).toBe(checkpoint.offsets[`t/${partition}`] ?? 0)
        expect(end).toBeGreaterThanOrEqual(from)
        expect(end).toBeLessThanOrEqual(bounds[index]?.end ?? -1)
        if (to === 'latest') expect(end).toBe(bounds[index]?.end)
      }
      const moves = next.plan.partitions.some(({ from, to: end }) => end > from)
      const appears = next.plan.partitions.length > plan.partitions.length
      expect(next.nothingToDo).toBe(!moves && !appears)
      expect(parsePlan(JSON.stringify(next.plan))).toEqual(next.plan)
      plan = next.plan
    }
  })
  await fc.assert(property, propertyRuns(100))
})
