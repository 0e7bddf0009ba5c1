import { type Job, job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { readHistory } from '../../../src/runtime/history/history.ts'
import { type ReplayOptions, replayHistory } from '../../../src/runtime/history/replay-history.ts'
import { withScratch } from '../../../src/runtime/history/scratch-session.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { appendRecords } from '../../../src/testing/append-records.ts'
import { counting, IN, NOW, OUT, Site } from './support/site.ts'

/** Replays the live generation with a job, and gives the rows of its store `counts` and what was told. */
async function replayed(site: Site, what: Job, options: ReplayOptions = {}, hash = 'hash') {
  const history = site.reading((file) => readHistory('g1', file))
  if (history === undefined) throw new Error('nothing has happened')
  return await withScratch(site.env(), { job: what, path: 'jobs/j.ts', hash }, 'test', async (session) => {
    const report = await replayHistory(session, history, options)
    const rows = [...new StoreReader(session.file, what, 'counts').entries()]
    return { ...report, counts: rows.map(({ key, value }) => `${key}=${value}`), checkpoint: session.checkpoint }
  })
}

async function twoRuns(): Promise<Site> {
  const site = await Site.with('abca')
  await site.run(counting)
  await site.write('ab')
  await site.run(counting)
  return site
}

describe('a replay of history', () => {
  it('is of as many steps as there were runs, or of one', async () => {
    const site = await twoRuns()
    expect(await replayed(site, counting)).toMatchObject({ steps: 2, records: 6, counts: ['a=3', 'b=2', 'c=1'] })
    const one = await replayed(site, counting, { cuts: 'none' })
    expect(one).toMatchObject({ steps: 1, records: 6, counts: ['a=3', 'b=2', 'c=1'] })
    expect(one.checkpoint?.offsets).toEqual(site.checkpoint()?.offsets)
    expect(one.checkpoint?.replayed).toMatchObject({ generation: 'g1', seq: site.checkpoint()?.token.seq })
  })

  it('names all input that is gone before it reads, or goes on without where it is told to', async () => {
    const site = await twoRuns()
    await site.log.admin().trim({ topic: 'in', partition: 0 }, 5)
    await expect(replayed(site, counting)).rejects.toMatchObject({
      code: 'INPUT_LOST',
      message: expect.stringMatching(/starts at 5, the history at 0;.*starts at 5, the history at 4/),
    })
    const report = await replayed(site, counting, { onDataLoss: 'skip' })
    expect(report).toMatchObject({ records: 1, counts: ['b=1'] })
    expect(report.notices).toHaveLength(2)
  })

  it('refuses a topic that was made again under its name', async () => {
    const site = await twoRuns()
    await site.log.admin().delete('in')
    await site.log.admin().create({ name: 'in', partitions: 1 })
    await site.write('abcabc')
    await expect(replayed(site, counting)).rejects.toMatchObject({ code: 'INPUT_REPLACED' })
  })

  it('has a topic that only the new version reads up to the clock of each run', async () => {
    const EXTRA = topic('extra', { key: string(), value: json<number>() })
    const both = job('j', {}, ({ stream }) => {
      stream(IN).merge(stream(EXTRA)).groupByKey().count('counts').toStream().to(OUT)
    })
    const site = await twoRuns()
    await site.log.admin().create({ name: 'extra', partitions: 1 })
    const at = (timestamp: number) => ({ key: 'x', value: 1, timestamp })
    await appendRecords(site.log, EXTRA, [at(NOW - 1), at(NOW - 1), at(NOW + 5)], NOW)
    const report = await replayed(site, both)
    expect(report).toMatchObject({ counts: ['a=3', 'b=2', 'c=1', 'x=2'] })
    expect(report.notices.join()).toContain('extra')
  })

  it('leaves out again what user code failed on, unless the job file is another one', async () => {
    const failing = (fails: boolean) =>
      job('j', { onUserError: 'skip' }, ({ stream }) => {
        stream(IN)
          .filter((value) => {
            if (fails && value === 1) throw new Error('planted')
            return true
          })
          .groupByKey()
          .count('counts')
          .toStream()
          .to(OUT)
      })
    const site = await Site.with('abc')
    await site.run(failing(true))
    expect(await replayed(site, failing(false))).toMatchObject({ counts: ['a=1', 'c=1'] })
    expect(await replayed(site, failing(false), {}, 'mended')).toMatchObject({ counts: ['a=1', 'b=1', 'c=1'] })
  })

  it('leaves out what was asked, whatever the job file', async () => {
    const site = await Site.with('abc')
    await site.run(counting, { skip: ['in/0@1'] })
    expect(await replayed(site, counting, {}, 'another')).toMatchObject({ counts: ['a=1', 'c=1'] })
  })

  it('refuses to end where no step ends', async () => {
    const site = await twoRuns()
    await expect(replayed(site, counting, { upTo: 1 })).rejects.toMatchObject({ code: 'USAGE' })
  })
})
