import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changelogTopic, otherJobsOf } from '../../../src/runtime/changelogs/changelog-names.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'

it.each([
  ['a', 'g1', 'g1-s', ['a-g1']],
  ['a-g1', 'g1', 's', ['a']],
  ['a', 'g1', 's', []],
  ['carrier-delays', 'g1', 'hourly-delay', ['carrier', 'carrier-delays-g1']],
  ['a.b', 'b', 's-', []],
])('the changelog of %s, %s, %s could be of %j too', (job, generation, store, others) => {
  expect(otherJobsOf(changelogTopic(job, generation, store), job)).toEqual(expect.arrayContaining(others))
})

it('every job that could have a changelog of that name is found', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '-', '1'), minLength: 1, maxLength: 5 })
  const job = name.filter((text) => !text.startsWith('-'))
  fc.assert(
    fc.property(job, job, name, fc.nat(), fc.nat(), (mine, generation, store, one, two) => {
      const topic = changelogTopic(mine, generation, store)
      const whole = topic.slice(0, -'-changelog'.length)
      const dashes = [...whole].flatMap((letter, at) => (letter === '-' ? [at] : []))
      const [first = 0, second = 0] = [one, two].map((n) => dashes[n % dashes.length] ?? 0).sort((a, b) => a - b)
      const other = [whole.slice(0, first), whole.slice(first + 1, second), whole.slice(second + 1)] as const
      fc.pre(other.every((part) => /^[a1]/.test(part) || part === other[2]) && other[2] !== '' && first < second)
      expect(changelogTopic(...other)).toBe(topic)
      expect([mine, ...otherJobsOf(topic, mine)]).toContain(other[0])
    }),
    propertyRuns(500),
  )
})
