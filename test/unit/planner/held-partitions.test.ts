import { expect, it } from 'vitest'
import { partitionsHeldByTime } from '../../../src/planner/held-partitions.ts'
import { LogFixture } from './log-fixture.ts'

it.each([
  [3, []],
  [4, ['t/1']],
  [5, ['t/0', 't/1']],
])('a pile-up is looked for in %d records of each partition', async (mostRecords, named) => {
  const fixture = new LogFixture()
  await fixture.create('t', 2)
  await fixture.append('t/0', [9, 9, 9, 9, 1], 2)
  await fixture.append('t/1', [9, 9, 9, 1, 9], 2)
  const held = [0, 1].map((partition) => ({ topic: 't', partition, from: 0, to: 5, heldBy: 0 }))
  const found = await partitionsHeldByTime(fixture.log, held, 5, { isolation: 'read_committed', mostRecords })
  expect(found.map(({ topic, partition }) => `${topic}/${partition}`)).toEqual(named)
})
