import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { json, string, topic } from 'tidemark'
import { beforeAll, expect, it } from 'vitest'
import type { Log } from '../../../src/ports/log.ts'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import type { RunReport } from '../../../src/runtime/run-report.ts'
import { appendRecords } from '../../../src/testing/append-records.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { Chance } from '../crash/chance.ts'
import { SEED } from '../crash/kills.ts'
import { newStepFile, until } from '../crash/steps-taken.ts'
import { said } from '../helpers/said.ts'
import type { Started } from '../helpers/tidemark.ts'

export const TALLY = fileURLToPath(new URL('../../fixtures/jobs/tally.ts', import.meta.url))
const LIMIT_MS = 240_000

/** Where the tally runs. */
export interface TallyPlace {
  readonly folder: string
  /** Behind the names of its topics and of the job. */
  readonly suffix: string
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started
  log(): Log
}

/** Streams of the real binary that are killed, stopped and gone on with, on one log. */
export function streamTests(make: () => Promise<TallyPlace>): void {
  let place: TallyPlace
  let written = 0
  const chance = new Chance(SEED)

  beforeAll(async () => {
    place = await make()
    await place
      .log()
      .admin()
      .create({ name: `asked${place.suffix}`, partitions: 2 })
  })

  async function write(): Promise<void> {
    const records = Array.from({ length: chance.from(1, 5) }, () => ({ key: `k${written++ % 3}`, value: written }))
    const asked = topic(`asked${place.suffix}`, { key: string(), value: json<number>() })
    await appendRecords(place.log(), asked, records, Date.now())
  }

  /** Every record is counted once, in the order of its key. */
  async function expectAll(): Promise<void> {
    const counted = topic(`counted${place.suffix}`, { key: string(), value: json<number>() })
    const byKey = new Map<unknown, unknown[]>()
    for (const { key, value } of await readTopic(place.log(), counted, new Map())) {
      byKey.set(key, [...(byKey.get(key) ?? []), value])
    }
    expect([...byKey.values()].flat()).toHaveLength(written)
    for (const values of byKey.values()) expect(values).toEqual(values.map((_, index) => index + 1))
  }

  async function finish(): Promise<void> {
    const { status, stdout, stderr } = await place.start(['run', TALLY, '--json']).ended
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stderr: expect.any(String) })
    await place.start(['run', TALLY, '--json']).ended // the first one may have finished what another had begun
    await expectAll()
  }

  /** Streams, and writes again as often as a slice is delivered, until the process stands still before a step: then it dies. */
  async function dieAt(step: string, nth: number): Promise<void> {
    const path = newStepFile(join(place.folder, 'steps'))
    const process = place.start(['stream', TALLY], { TIDEMARK_STEP_FILE: path, TIDEMARK_STEP_HOLD: `${step}@${nth}` })
    const holds = (taken: readonly string[]) => taken.at(-1) === 'holding'
    let held = false
    for (let delivered = 1; !held; delivered++) {
      await write()
      const enough = (taken: readonly string[]) => {
        held = holds(taken)
        return held || taken.filter((line) => line.endsWith(' delivered')).length >= delivered
      }
      expect(await until(path, process, enough)).toBe(true)
    }
    process.child.kill('SIGKILL')
    expect((await process.ended).status).toBeNull()
  }

  it('killed at any step while records come, it loses and repeats nothing', { timeout: LIMIT_MS }, async () => {
    for (const step of chance.shuffled([...COMMIT_STEPS])) await dieAt(step, chance.from(1, 4))
    await finish()
    const { stdout } = await place.start(['runs', `tally${place.suffix}`, '--json']).ended
    const { runs } = JSON.parse(stdout) as { runs: readonly RunReport[] }
    expect(runs.reduce((sum, { records }) => sum + records, 0)).toBe(written)
    expect(runs.every(({ status }) => status !== 'running')).toBe(true)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stopped by %s it has committed, and runs go on', { timeout: LIMIT_MS }, async (signal, status) => {
    const stream = place.start(['stream', TALLY, '--json'])
    await said(stream, 'has caught up')
    await write()
    stream.child.kill(signal)
    const ended = await stream.ended
    expect(ended).toMatchObject({ status })
    const code = signal === 'SIGINT' ? 'INTERRUPTED' : 'TERMINATED'
    expect(JSON.parse(ended.stdout)).toMatchObject({ trigger: 'stream', status: 'interrupted', error: { code } })
    await write()
    await finish()
  })

  it('keeps other runs out while it goes on', { timeout: LIMIT_MS }, async () => {
    const stream = place.start(['stream', TALLY])
    await said(stream, 'has caught up')
    expect((await place.start(['run', TALLY]).ended).status).toBe(75)
    expect((await place.start(['stream', TALLY]).ended).status).toBe(75)
    stream.child.kill('SIGTERM')
    expect((await stream.ended).status).toBe(143)
  })
}
