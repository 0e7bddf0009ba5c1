import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import type { RunReport } from '../../src/runtime/run-report.ts'
import { newStepFile, until } from './crash/steps-taken.ts'
import { importInputs, JOB } from './crash/till.ts'
import { type Started, startIn, workplace } from './helpers/tidemark.ts'

const RANGE = ['--from', '1970-01-01T01:00Z', '--to', '1970-01-01T01:20Z', '--every', '4m']

interface Result {
  readonly outcome: string
  readonly generation: string
  readonly parts: number
  readonly records: number
  readonly runs: readonly RunReport[]
}

describe('a backfill', () => {
  const place = workplace()
  beforeAll(async () => {
    await importInputs(place)
    expect((await place.run(['run', JOB])).status).toBe(0)
  })

  const backfill = (...more: readonly string[]) => place.json<Result>('backfill', JOB, ...RANGE, ...more)
  const start = (as: string, env: Readonly<Record<string, string>> = {}): Started =>
    startIn(place.path, ['backfill', JOB, ...RANGE, '--as', as], env)
  const rows = async (generation: string, store: string) => {
    const { status, stdout } = await place.run(['state', JOB, store, '--generation', generation, '--json'])
    expect(status).toBe(0)
    return (JSON.parse(stdout) as { rows: readonly unknown[] }).rows
  }
  const live = () => readFileSync(join(place.path, '.tidemark', 'till', 'g1.db'))

  /** Starts a backfill that stands still before a step, and waits for that. */
  async function holding(as: string, hold: string): Promise<Started> {
    const path = newStepFile(join(place.path, `steps-${as}`))
    const process = start(as, { TIDEMARK_STEP_FILE: path, TIDEMARK_STEP_HOLD: hold })
    expect(await until(path, process, (taken) => taken.at(-1) === 'holding')).toBe(true)
    return process
  }

  it('shows its parts and does nothing, then does them, and is done', async () => {
    const planned = await place.json<{ parts: unknown[]; offsets: number; estimateMs: number; generation: string }>(
      ...['backfill', JOB, ...RANGE, '--dry-run'],
    )
    expect(planned.parts).toHaveLength(5)
    expect(planned.estimateMs).toBeGreaterThan(0)
    const before = live()
    const done = await backfill()
    expect(done).toMatchObject({ outcome: 'ran', parts: 5, generation: planned.generation })
    expect(done.records).toBe(planned.offsets)
    expect(live().equals(before)).toBe(true)
    expect(await backfill()).toMatchObject({ outcome: 'covered', runs: [] })
  })

  it('killed at every step, the same command goes on, and comes to the same', { timeout: 240_000 }, async () => {
    const whole = await backfill('--as', 'whole')
    for (const step of COMMIT_STEPS.filter((each) => each !== 'send' && each !== 'delivered')) {
      const process = await holding('killed', `${step}@4`)
      process.child.kill('SIGKILL')
      expect((await process.ended).status).toBeNull()
    }
    await backfill('--as', 'killed')
    const { runs } = await place.json<{ runs: RunReport[] }>('runs', 'till', '--generation', 'killed')
    expect(runs.reduce((sum, { records }) => sum + records, 0)).toBe(whole.records)
    expect(runs.every(({ status }) => status === 'done' || status === 'crashed')).toBe(true)
    for (const store of ['spent-by-customer', 'minutes-of-shops', 'updates-of-towns']) {
      const wanted = await rows('whole', store)
      expect(wanted.length).toBeGreaterThan(1)
      expect(await rows('killed', store)).toEqual(wanted)
    }
  })

  it('is refused while it runs, or another one over the same records', async () => {
    const process = await holding('running', 'process@3')
    const again = await start('running').ended
    expect(again).toMatchObject({ status: 75, stderr: expect.stringContaining('LOCKED') })
    const beside = await start('beside').ended
    expect(beside).toMatchObject({ status: 75, stderr: expect.stringContaining('running is running over the same') })
    expect((await place.run(['run', JOB])).status).toBe(0)
    process.child.kill('SIGKILL')
    await process.ended
  })
})
