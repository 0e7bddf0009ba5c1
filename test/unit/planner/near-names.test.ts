import { expect, it } from 'vitest'
import { nearNames } from '../../../src/planner/near-names.ts'

const TOPICS = ['airlines', 'flights', 'late-flights', 'orders', 'orders-eu', 'Weather']

it.each<[wanted: string, near: readonly string[]]>([
  ['ordres', ['orders']],
  ['order', ['orders']],
  ['flihgts', ['flights']],
  ['Flights', ['flights']],
  ['weather', ['Weather']],
  ['orders-eux', ['orders-eu']],
  ['tt', []],
  ['planes', []],
  ['', []],
])('a slip of the pen, %j, is near to %j', (wanted, near) => {
  expect(nearNames(wanted, TOPICS)).toEqual(near)
})

it('names the nearest first, and three at most', () => {
  expect(nearNames('aaaaaa', ['aaaabb', 'aaaaab', 'aaaaa', 'aaaaaab', 'zzzzzz'])).toEqual([
    'aaaaa',
    'aaaaaab',
    'aaaaab',
  ])
})
