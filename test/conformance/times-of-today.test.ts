import { describe, expect, it } from 'vitest'
import { runCase } from './run-case.ts'
import { TOPOLOGIES } from './topologies/all.ts'
import { type VectorRecord, vectorCases, vectorIds } from './vectors.ts'

/** A multiple of the sizes of all windows, of the times between punctuations, and of two hours. */
const ROUND = 1_562_400_000
const SOON = ROUND
const TODAY = 1_125 * ROUND

const ids = (vectorIds() ?? []).filter((id) => TOPOLOGIES[id] !== undefined)

/** What a case gives that begins at `origin`, told as if it began at 0. */
function toldFrom(origin: number, id: string, input: readonly VectorRecord[]): unknown {
  const moved = input.map((record) => {
    const timestamp = record.timestamp < 0 ? record.timestamp : record.timestamp + origin
    return { ...record, timestamp }
  })
  const result = runCase(id, TOPOLOGIES[id] ?? (() => {}), moved, { sliceRecords: 7 })
  // numbers as great as that are times, wherever they stand
  const told = JSON.stringify(result, (_, value) =>
    typeof value === 'number' && value > origin / 2 ? value - origin : value,
  )
  return JSON.parse(told)
}

describe.runIf(ids.length > 0)('at times of today all is as it is soon after 0', () => {
  it.each(ids)('%s', (id) => {
    for (const { input } of vectorCases(id).slice(0, 1)) {
      expect(toldFrom(TODAY, id, input)).toEqual(toldFrom(SOON, id, input))
    }
  })
})
