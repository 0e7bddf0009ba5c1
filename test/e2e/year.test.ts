import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../../src/runtime/run-report.ts'
import { workplace } from './helpers/tidemark.ts'
import { different } from './year/different.ts'
import { type ExpectedYear, expectedYear } from './year/expected-year.ts'
import { JOBS, runToEach, type YearOutcome, yearOutcome } from './year/year-of-flights.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The folder with the year of flights, which is too large for the repository; from the root of the project. */
const DATA = resolve(ROOT, process.env.TIDEMARK_DATA ?? '../shared/data')
const FLIGHTS = join(DATA, 'flights.csv.gz')
const AIRLINES = join(JOBS, 'data/airlines.csv')
const PARTITIONS = 4
const DAY_MS = 86_400_000

/** Midnight after each day of 2013, UTC: 365 of them. */
const MIDNIGHTS = Array.from({ length: 365 }, (_, day) => Date.UTC(2013, 0, 2) + day * DAY_MS)

const missing = !existsSync(FLIGHTS)
if (missing) process.stderr.write(`The year of flights is not tested: there is no ${FLIGHTS} (TIDEMARK_DATA)\n`)

describe.skipIf(missing)('a year of flights', () => {
  const place = workplace()
  const whole = { log: `sqlite:${join(place.path, 'whole.db')}`, stateDir: join(place.path, 'whole') }
  const daily = { log: `sqlite:${join(place.path, 'daily.db')}`, stateDir: join(place.path, 'daily') }
  let expected: ExpectedYear
  let inOneGo: RunReport
  let dayByDay: readonly RunReport[]
  let outcomes: { readonly whole: YearOutcome; readonly daily: YearOutcome }

  beforeAll(async () => {
    expected = expectedYear(FLIGHTS, AIRLINES, PARTITIONS)
    const into = ['--log', whole.log]
    const flights = ['--key', 'carrier', '--timestamp', 'time_hour', '--partitions', String(PARTITIONS), '--null', 'NA']
    await place.json('log', 'import', 'airlines', AIRLINES, '--key', 'carrier', '--timestamp', '2012-12-01', ...into)
    await place.json('log', 'import', 'flights', FLIGHTS, ...flights, ...into)
    copyFileSync(join(place.path, 'whole.db'), join(place.path, 'daily.db'))
    inOneGo = await place.json('run', 'carrier-delays', '--jobs', JOBS, '--state-dir', whole.stateDir, ...into)
    dayByDay = await runToEach(daily, [...MIDNIGHTS.map((end) => new Date(end).toISOString()), 'latest'])
    outcomes = { whole: await yearOutcome(whole), daily: await yearOutcome(daily) }
  }, 300_000)

  it('is read whole, in one go and in 366 ranges, each of which holds records', () => {
    expect(expected.flights).toBe(336_776)
    expect(flightsRead(inOneGo)).toBe(expected.flights)
    expect(dayByDay).toHaveLength(366)
    expect(dayByDay.map(flightsRead)).toEqual(expected.countsBetween(MIDNIGHTS))
    expect(Math.min(...dayByDay.map(flightsRead))).toBeGreaterThan(0)
  })

  it('has the mean of each carrier and hour that plain loops find, either way', () => {
    expect(different(outcomes.whole.results, expected.results)).toEqual([])
    expect(different(outcomes.daily.results, expected.results)).toEqual([])
    expect([...outcomes.daily.results.values()].filter((result) => result.includes('unknown'))).toEqual([])
  })

  it('has as many late flights as plain loops find, either way, and they are in a topic of their own', () => {
    expect(expected.late).toBeGreaterThan(0)
    expect(inOneGo.late).toBe(expected.late)
    expect(dayByDay.reduce((sum, { late }) => sum + late, 0)).toBe(expected.late)
    expect(outcomes.whole.lateFlights).toBe(expected.late)
    expect(outcomes.daily.lateFlights).toBe(expected.late)
  })

  it('leaves the same store, which holds the last day of each partition', () => {
    expect(different(outcomes.whole.store, expected.store)).toEqual([])
    expect(different(outcomes.daily.store, expected.store)).toEqual([])
  })
})

function flightsRead({ partitions }: RunReport): number {
  return partitions.filter(({ topic }) => topic === 'flights').reduce((sum, { records }) => sum + records, 0)
}
