import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { expectVerified } from '../helpers/expect-verified.ts'
import { type Ended, startIn, workplace } from '../helpers/tidemark.ts'
import { purchases, shops } from './purchases.ts'
import { newStepFile, until } from './steps-taken.ts'

const JOB = fileURLToPath(new URL('../../fixtures/jobs/till.ts', import.meta.url))
const RUN = ['run', JOB]
const ELSEWHERE = ['--state-dir', 'elsewhere']

describe('the start of a run, with the real binary', () => {
  const place = workplace()
  const at = (...path: string[]) => join(place.path, ...path)
  const state = () => readFileSync(at('.tidemark', 'till', 'g1.db'))

  async function add(count: number): Promise<void> {
    place.file('purchases.jsonl', purchases(count))
    await place.json('log', 'import', 'purchases', 'purchases.jsonl', '--key', 'customer', '--timestamp', 'at')
  }

  const refused = (ended: Ended) => ({ status: ended.status, code: /code: (\w+)/.exec(ended.stderr)?.[1] })

  it('keeps others out while it runs, and nobody once it is dead', async () => {
    place.file('shops.jsonl', shops())
    await place.json('log', 'import', 'shops', 'shops.jsonl', '--key', 'shop', '--timestamp', 'at')
    await add(90)
    const steps = newStepFile(at('steps'))
    const held = startIn(place.path, RUN, { TIDEMARK_STEP_FILE: steps, TIDEMARK_STEP_HOLD: 'process@2' })
    expect(await until(steps, held, (taken) => taken.at(-1) === 'holding')).toBe(true)
    expect(refused(await place.run(RUN))).toEqual({ status: 75, code: 'LOCKED' })
    const leased = await place.run([...RUN, ...ELSEWHERE])
    expect(refused(leased)).toEqual({ status: 75, code: 'LEASED' })
    expect(leased.stderr).toContain('--take-over')
    held.child.kill('SIGKILL')
    await held.ended
    expect(refused(await place.run([...RUN, ...ELSEWHERE]))).toEqual({ status: 75, code: 'LEASED' })
    expect(refused(await place.run([...RUN, ...ELSEWHERE, '--take-over']))).toEqual({
      status: 76,
      code: 'STATE_MISSING',
    })
    expect(await place.json(...RUN)).toMatchObject({ status: 'done', attempt: 2, records: 99 })
  })

  it('stops, and changes nothing, where the log was restored from an old copy', async () => {
    cpSync(at('.tidemark', 'log.db'), at('old-log.db'))
    await add(90)
    await place.json(...RUN)
    const before = state()
    const ended = await place.run([...RUN, '--log', 'sqlite:old-log.db'])
    expect(refused(ended)).toEqual({ status: 66, code: 'OUTPUT_LOST' })
    expect(state().equals(before)).toBe(true)
    expect(await place.json(...RUN)).toMatchObject({ status: 'done', records: 0 })
  })

  it('stops where the state file is gone, until it is told to start empty', async () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${at('.tidemark', 'till', 'g1.db')}${suffix}`, { force: true })
    const ended = await place.run(RUN)
    expect(refused(ended)).toEqual({ status: 76, code: 'STATE_MISSING' })
    expect(ended.stderr).toContain('state restore')
    expect(await place.json(...RUN, '--init')).toMatchObject({ status: 'done', attempt: 1, records: 189 })
    expect(await place.json(...RUN)).toMatchObject({ status: 'done', records: 0 })
    await expectVerified({ start: (args) => startIn(place.path, args) }, JOB)
  })
})
