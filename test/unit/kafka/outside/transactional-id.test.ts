import fc from 'fast-check'
import { expect, it } from 'vitest'
import { transactionalIdOf } from '../../../../src/adapters/kafka/outside/transactional-id.ts'
import { propertyRuns } from '../../../fixtures/property-runs.ts'

it.each([
  ['orders', 'live', 'tidemark.orders'],
  ['orders', '2013', 'tidemark.orders.2013'],
  ['orders', '2013.1', 'tidemark.orders.2013.1'],
  ['team.orders', 'live', 'tidemark.team/orders'],
  ['team.orders', 'v.2', 'tidemark.team/orders.v.2'],
])('of %s, %s is %s', (job, key, id) => {
  expect(transactionalIdOf(job, key)).toBe(id)
})

it('is shared by no two jobs or generations', () => {
  // Few letters, so that what could be mixed up comes up often.
  const name = fc.stringMatching(/^[a1][a1._-]{0,4}$/)
  const key = fc.oneof(fc.constant('live'), name)
  fc.assert(
    fc.property(name, key, name, key, (job, generation, otherJob, other) => {
      const same = job === otherJob && generation === other
      expect(transactionalIdOf(job, generation) === transactionalIdOf(otherJob, other)).toBe(same)
    }),
    propertyRuns(20_000),
  )
})
