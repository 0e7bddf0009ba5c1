import { type Job, job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import type { RunRow } from '../../../src/ports/history.ts'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import { Backfill, type BackfillOutcome } from '../../../src/runtime/backfill/backfill.ts'
import type { BackfillRequest, PlannedBackfill } from '../../../src/runtime/backfill/backfill-request.ts'
import { appendRecords } from '../../../src/testing/append-records.ts'
import { type Death, mortal } from '../../laws/support/mortal.ts'
import { StopSwitch } from '../../laws/support/stop-switch.ts'
import { counting, IN, NOW, OUT, Site } from './support/site.ts'

const ASKED: BackfillRequest = {
  missing: false,
  from: '@2',
  to: '@8',
  every: { kind: 'time', ms: 2 },
  as: undefined,
  emit: false,
  replace: false,
  recordsPerSecond: null,
  onDataLoss: 'fail',
}

const loaded = (what: Job) => ({ job: what, path: 'jobs/j.ts', hash: 'hash' })

const backfill = (site: Site, asked: Partial<BackfillRequest> = {}, what = counting): Promise<BackfillOutcome> =>
  new Backfill(site.env()).run(loaded(what), { ...ASKED, ...asked })

const plan = (site: Site, asked: Partial<BackfillRequest> = {}): Promise<PlannedBackfill> =>
  new Backfill(site.env()).plan(loaded(counting), { ...ASKED, ...asked })

/** Backfills until the process dies. */
async function die(site: Site, death: Death): Promise<void> {
  const process = mortal(site.env(), death)
  await expect(new Backfill(process.env).run(loaded(counting), ASKED)).rejects.toThrow()
  expect(process.died()).toBe(true)
  site.first.state.crash()
  site.first.locks.crash()
}

async function fails(site: Site, asked: Partial<BackfillRequest>, what = counting): Promise<unknown> {
  return backfill(site, asked, what).then(
    () => expect.fail('it should have failed'),
    (error: unknown) => error,
  )
}

const counts = (site: Site, generation: string) =>
  site.reading(
    (file) =>
      file
        .stores()
        .flatMap((identity) =>
          [...file.table(identity).scan({})].map(({ key, value }) => [key, Buffer.from(value ?? []).toString()]),
        ),
    generation,
  )

describe('a backfill', () => {
  it('runs its parts one after the other, with one state, and leaves the live generation alone', async () => {
    const site = await Site.with('abababababab')
    await site.run(counting)
    const live = site.rows()
    const token = site.checkpoint()?.token
    const { outcome, generation, parts, runs } = await backfill(site)
    expect({ outcome, parts }).toEqual({ outcome: 'ran', parts: 3 })
    expect(runs.map(({ status, partitions }) => [status, partitions[0]?.from, partitions[0]?.to])).toEqual([
      ['done', 2, 4],
      ['done', 4, 6],
      ['done', 6, 8],
    ])
    expect(counts(site, generation)).toEqual([
      ['a', '3'],
      ['b', '3'],
    ])
    expect(site.rows()).toEqual(live)
    expect(site.checkpoint()?.token).toEqual(token)
    expect(await site.out()).toHaveLength(12)
  })

  it('is done once', async () => {
    const site = await Site.with('abababababab')
    const { generation } = await backfill(site)
    expect(await backfill(site)).toMatchObject({ outcome: 'covered', generation, runs: [] })
    expect(await fails(site, { every: null })).toMatchObject({ code: 'RANGE_COVERED_DIFFERENTLY', exit: 64 })
    expect(await backfill(site, { every: null, replace: true })).toMatchObject({ outcome: 'ran', generation, parts: 1 })
  })

  it('publishes where that is asked, under its own name', async () => {
    const site = await Site.with('aaaaaaaaaa')
    const { generation } = await backfill(site, { emit: true })
    expect(await site.out()).toEqual(['a=1', 'a=2', 'a=3', 'a=4', 'a=5', 'a=6'])
    expect((await site.record(generation))?.delivery).toMatchObject({ leaseUntil: 0 })
    expect(await site.record()).toBeUndefined()
  })

  it.each(COMMIT_STEPS.filter((step) => step !== 'send'))('goes on where it died, at %s', async (step) => {
    for (const nth of [1, 2, 3]) {
      const site = await Site.with('abababababab')
      const { generation } = await plan(site)
      await die(site, { step, nth })
      const done = site.rows(generation).filter(({ status }) => status === 'done')
      const { runs } = await backfill(site)
      expect(runs).toHaveLength(3 - done.length)
      expect(counts(site, generation)).toEqual([
        ['a', '3'],
        ['b', '3'],
      ])
      const rows = site.rows(generation)
      expect(rows.reduce((sum, { records }) => sum + records, 0)).toBe(6)
    }
  })

  it('goes on although the log has let go meanwhile what it has read', async () => {
    const site = await Site.with('abababababab')
    await die(site, { step: 'process', nth: 3 })
    await site.log.admin().trim({ topic: IN.name, partition: 0 }, 6)
    expect(await backfill(site)).toMatchObject({ outcome: 'ran', runs: [{}] })
    expect(await backfill(site)).toMatchObject({ outcome: 'covered' })
  })

  it('does again only the part that failed', async () => {
    const site = await Site.with('abababababab')
    const picky = (most: number) =>
      job('j', {}, ({ stream }) => {
        const all = stream(IN).peek((value) => {
          if (value > most) throw new Error('too much')
        })
        all.groupByKey().count('counts').toStream().to(OUT)
      })
    const told: (string | number)[][] = []
    const onProgress = ({ status }: RunRow, part: number) => void told.push([part, status])
    expect(await fails(site, { onProgress }, picky(4))).toMatchObject({ code: 'USER_CODE_FAILED' })
    expect(told.at(-1)).toEqual([1, 'failed'])
    const { runs } = await backfill(site, {}, picky(100))
    expect(runs.map(({ partitions }) => partitions[0]?.to)).toEqual([6, 8])
  })

  it('stops where it is asked to, and goes on', async () => {
    const site = await Site.with('abababababab')
    const stop = new StopSwitch()
    const onProgress = ({ status }: RunRow, part: number) => {
      if (part === 0 && status === 'done') stop.press()
    }
    expect(await fails(site, { stop, onProgress })).toMatchObject({ code: 'INTERRUPTED', exit: 130 })
    expect((await backfill(site)).runs).toHaveLength(2)
  })

  it('tells where a part goes on with another job file than the part before was made with', async () => {
    const site = await Site.with('abababababab')
    await die(site, { step: 'process', nth: 2 })
    const edited = { ...loaded(counting), hash: 'edited' }
    const { runs } = await new Backfill(site.env()).run(edited, ASKED)
    const changed = expect.stringContaining('jobs/j.ts is not what it was in the part before')
    expect(runs[0]?.notices).toContainEqual(changed)
    for (const { notices } of runs.slice(1)) expect(notices).not.toContainEqual(changed)
    expect(runs.length).toBeGreaterThan(1)
  })

  it('is not run twice at a time, nor over records that another one is running over', async () => {
    const site = await Site.with('abababababab')
    const { generation } = await plan(site)
    await die(site, { step: 'process', nth: 2 })
    const meets = { from: '@7', to: '@9', as: 'meets' }
    const running = site.first.locks.acquire(`j/${generation}`, 'a test')
    expect(await fails(site, {})).toMatchObject({ code: 'LOCKED', exit: 75 })
    const message = expect.stringContaining('in[0] from 7 to 8')
    expect(await fails(site, meets)).toMatchObject({ code: 'LOCKED', exit: 75, message })
    expect(await backfill(site, { from: '@8', to: '@9', as: 'beside' })).toMatchObject({ outcome: 'ran' })
    running.release()
    expect(await backfill(site, meets)).toMatchObject({ outcome: 'ran' })
    expect(await backfill(site)).toMatchObject({ outcome: 'ran' })
  })

  it('takes no more records a second than asked', async () => {
    const site = await Site.with('a'.repeat(40))
    const begun = site.clock.now()
    const slices: number[] = []
    const onProgress = ({ status, records }: RunRow) => {
      if (status === 'running') slices.push(records)
    }
    await backfill(site, { from: '@0', to: '@40', every: null, recordsPerSecond: 8, onProgress })
    expect(slices.slice(0, 4)).toEqual([0, 2, 4, 6])
    expect(site.clock.now() - begun).toBe(5000)
  })

  it('names what has expired before it begins', async () => {
    const site = await Site.with('abababababab')
    await site.log.admin().trim({ topic: IN.name, partition: 0 }, 4)
    expect(await fails(site, {})).toMatchObject({
      code: 'INPUT_LOST',
      exit: 66,
      message: expect.stringContaining('in[0]'),
    })
    expect(await fails(site, { from: '1', to: '8', every: null })).toMatchObject({ code: 'INPUT_LOST' })
    expect(site.first.state.generations('j')).toEqual([])
    const planned = await plan(site, { onDataLoss: 'skip' })
    expect(planned.notices.join()).toContain('no longer there')
    expect((await backfill(site, { onDataLoss: 'skip' })).runs.map(({ records }) => records)).toEqual([0, 2, 2])
  })

  it('cannot tell a log that was trimmed exactly where it begins from one that has lost records, and says so', async () => {
    const site = await Site.with('abababababab')
    await site.log.admin().trim({ topic: IN.name, partition: 0 }, 4)
    const exactly = { from: '@4', to: '@8', every: null }
    expect(await fails(site, exactly)).toMatchObject({
      code: 'INPUT_LOST',
      message: expect.stringMatching(/starts at 4, with a record at or past .*nothing tells/),
      hint: expect.stringContaining('--on-data-loss skip'),
    })
    const { runs } = await backfill(site, { ...exactly, onDataLoss: 'skip' })
    expect(runs.map(({ partitions }) => partitions)).toMatchObject([[{ from: 4, to: 8, records: 4 }]])
    expect(site.events(runs[0]?.generation).filter(({ kind }) => kind === 'gap')).toEqual([])
    expect(await backfill(site, { ...exactly, from: '4', to: '8' })).toMatchObject({ outcome: 'ran' })
  })

  it('tells what it would do, and how long that may take, and does nothing', async () => {
    const site = await Site.with('abababababab')
    expect(await plan(site)).toMatchObject({
      done: 0,
      offsets: 6,
      estimateMs: null,
      parts: [{ to: '1970-01-01T00:00:00.004Z' }, {}, {}],
    })
    expect(await plan(site, { recordsPerSecond: 3 })).toMatchObject({ estimateMs: 2000 })
    expect(site.first.state.generations('j')).toEqual([])
    const timed = (ms: number) => ({
      onProgress: ({ slices }: RunRow) => {
        if (slices === 1) site.clock.advance(ms)
      },
    })
    await site.run(counting, timed(12_000))
    expect(await plan(site)).toMatchObject({ estimateMs: 6000 })
    expect(await plan(site, { recordsPerSecond: 0.5 })).toMatchObject({ estimateMs: 12_000 })
  })

  it('fills what no run has processed, and then nothing is missing', async () => {
    const site = await Site.with('ababab')
    await site.run(job('j', { start: '2' }, ({ stream }) => stream(IN).groupByKey().count('counts').toStream().to(OUT)))
    const missing = { missing: true, from: undefined, to: undefined, every: null }
    const { runs } = await backfill(site, missing)
    expect(runs.map(({ partitions }) => partitions)).toMatchObject([[{ from: 0, to: 2, records: 2 }]])
    await appendRecords(site.log, IN, [{ key: 'z', value: 1, timestamp: 9 }], NOW)
    expect(await backfill(site, missing)).toMatchObject({ outcome: 'covered', parts: 0 })
  })

  it('needs bounds', async () => {
    const site = await Site.with('ab')
    expect(await fails(site, { to: undefined })).toMatchObject({ code: 'USAGE', exit: 64 })
    expect(await fails(site, { from: '@8', to: '@2' })).toMatchObject({ code: 'USAGE' })
    expect(await fails(site, { as: 'no/name' })).toMatchObject({ code: 'USAGE' })
  })
})
