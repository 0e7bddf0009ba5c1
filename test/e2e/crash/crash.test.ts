import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import { startIn, workplace } from '../helpers/tidemark.ts'
import { Chance } from './chance.ts'
import { deaths, RECOVERY_STEPS, sooner } from './deaths.ts'
import { die } from './die.ts'
import { KILLS, SEED } from './kills.ts'
import { type Outcome, outcome } from './outcome.ts'
import { purchases, shops } from './purchases.ts'
import { newStepFile, until } from './steps-taken.ts'

const JOB = fileURLToPath(new URL('../../fixtures/jobs/till.ts', import.meta.url))
const RUN = ['run', JOB, '--json']
const PURCHASES = 2_400
const TIMED = ['--timestamp', 'at', '--partitions', '2']

describe('a run that is killed and started again', () => {
  const place = workplace()
  const input = join(place.path, 'input')
  let undisturbed: Outcome
  let launchMs: number

  beforeAll(async () => {
    place.file('input/purchases.jsonl', purchases(PURCHASES))
    place.file('input/shops.jsonl', shops())
    await done(input, ['log', 'import', 'purchases', 'purchases.jsonl', '--key', 'customer', ...TIMED])
    await done(input, ['log', 'import', 'shops', 'shops.jsonl', '--key', 'shop', ...TIMED])
    await done(input, ['plan', JOB]) // the job file is compiled once
    const folder = copyOf(input)
    launchMs = await launchOf(folder)
    undisturbed = await outcome(folder)
  }, 120_000)

  it('is a run of many slices with something of everything', () => {
    const { stores, streams, tables, counts } = undisturbed
    expect(counts).toMatchObject({ records: PURCHASES + 9, committing: ['done'] })
    expect(counts.slices).toBeGreaterThan(50)
    for (const counter of ['late', 'droppedWindows', 'skipped', 'deadLettered'] as const) {
      expect(counts[counter]).toBeGreaterThan(0)
    }
    for (const rows of [stores, streams, tables].flatMap((part) => Object.values(part))) {
      expect(Object.keys(rows).length).toBeGreaterThan(1)
    }
  })

  it('comes to the same, wherever it was killed', { timeout: 60_000 + KILLS * 60_000 }, async () => {
    const left = deaths(KILLS, new Chance(SEED), launchMs)
    const died = new Map<string, number>()
    while (left.length > 0) {
      const folder = copyOf(input)
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        if (!(await die(folder, RUN, next))) {
          left.push(sooner(next)) // this run is done: it is for the next one
          break
        }
        const name = 'step' in next ? `${next.at} ${next.step}` : next.at
        died.set(name, (died.get(name) ?? 0) + 1)
      }
      await done(folder, RUN)
      expect(await outcome(folder)).toEqual(undisturbed)
    }
    for (const step of COMMIT_STEPS) expect(died.get(`step ${step}`)).toBe(KILLS)
    for (const step of RECOVERY_STEPS) expect(died.get(`recovery ${step}`)).toBe(KILLS)
    expect(died.get('work')).toBe(COMMIT_STEPS.length * KILLS)
  })

  async function done(folder: string, args: readonly string[]): Promise<void> {
    expect(await startIn(folder, args).ended).toMatchObject({ status: 0 })
  }

  function copyOf(folder: string): string {
    const copy = mkdtempSync(join(place.path, 'run-'))
    cpSync(folder, copy, { recursive: true })
    return copy
  }

  /** Runs the job to its end, and gives the time from its launch to its first step. */
  async function launchOf(folder: string): Promise<number> {
    const steps = newStepFile(join(folder, 'steps'))
    const launched = performance.now()
    const process = startIn(folder, RUN, { TIDEMARK_STEP_FILE: steps })
    expect(await until(steps, process, (taken) => taken.length > 0)).toBe(true)
    const ms = performance.now() - launched
    expect(await process.ended).toMatchObject({ status: 0 })
    return ms
  }
})
