import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Binary, jobFile } from './support/binary.ts'
import { Field } from './support/field.ts'
import waiting from './support/waiting-job.ts'

const RUN = ['run', jobFile('waiting-job')]
/** The grace time that a process gets: a test that takes longer fails. */
const GRACE = { timeout: 20_000 }
const RECORDS = 100_000
const WAITS_AT = 'k-half'

async function fill(field: Field): Promise<void> {
  await field.topic('in')
  for (let from = 0; from < RECORDS; from += 10_000) {
    const batch = Array.from({ length: 10_000 }, (_, index) => `p0 k${(from + index) % 1000}→1`)
    if (from === RECORDS / 2) batch[0] = `p0 ${WAITS_AT}→1`
    await field.batch('in', 'none', ...batch)
  }
}

async function expectAsClean(field: Field): Promise<void> {
  const clean = new Field('memory')
  await fill(clean)
  await clean.run(waiting)
  expect(field.store(waiting, 'counts')).toEqual(clean.store(waiting, 'counts'))
  expect(await field.out('out')).toEqual(await clean.out('out'))
  expect(field.checkpoint(waiting)).toEqual({ 'in/0': RECORDS })
}

describe('E7: a run is stopped in the middle', () => {
  /** A run whose code stands at the record in the middle. */
  async function halfway(slice = RECORDS) {
    const binary = new Binary()
    await fill(binary.field)
    const run = binary.start(RUN, { CASE_WAIT_AT: WAITS_AT, CASE_SLICE: String(slice) })
    await binary.appears('working')
    return { binary, ...run, cp: () => binary.field.checkpoint(waiting)?.['in/0'] ?? 0 }
  }

  it('by SIGTERM: it commits what it has done and stops, and the next run goes on from there', GRACE, async () => {
    const { binary, child, ended, cp } = await halfway()
    child.kill('SIGTERM')
    binary.write('go', '')
    expect(await ended).toMatchObject({ status: 143, stderr: expect.stringContaining('TERMINATED') })
    expect(cp()).toBeGreaterThan(RECORDS / 2)
    expect(cp()).toBeLessThan(RECORDS)
    expect((await binary.run(RUN)).status).toBe(0)
    await expectAsClean(binary.field)
  })

  it('by SIGTERM between slices that are each too short to look for it', GRACE, async () => {
    const binary = new Binary()
    await binary.field.topic('in')
    await binary.field.batch('in', 'none', ...Array.from({ length: 2000 }, (_, index) => `p0 k${index}`))
    const { child, ended, step } = binary.start(RUN, { CASE_SLICE: '1' })
    await step('80 delivered')
    child.kill('SIGTERM')
    expect((await ended).status).toBe(143)
    expect(binary.field.checkpoint(waiting)?.['in/0']).toBeLessThan(2000)
    expect((await binary.run(RUN)).status).toBe(0)
    expect(await binary.field.out('out')).toHaveLength(2000)
  })

  it('by a second signal: at once, and the slice under way leaves no trace', GRACE, async () => {
    const { binary, child, ended, cp } = await halfway()
    child.kill('SIGTERM')
    child.kill('SIGINT')
    binary.write('go', '')
    expect([130, 143]).toContain((await ended).status)
    expect(cp()).toBe(0)
    expect((await binary.run(RUN)).status).toBe(0)
    await expectAsClean(binary.field)
  })

  it('while it waits for a busy file: it stops behind that slice', GRACE, async () => {
    const { binary, child, ended, step, cp } = await halfway(RECORDS / 2 + 1)
    const holder = new Sqlite(binary.stateFile(waiting))
    holder.exec('BEGIN IMMEDIATE')
    binary.write('go', '')
    await step('store-begin')
    child.kill('SIGTERM')
    holder.close()
    expect((await ended).status).toBe(143)
    expect(cp()).toBe(RECORDS / 2 + 1)
    expect((await binary.run(RUN)).status).toBe(0)
    await expectAsClean(binary.field)
  })
})
