import { joinWindows, json, job as makeJob, string, sum, topic, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { explainRows } from '../../../src/runtime/history/explain-rows.ts'
import { verifyJob } from '../../../src/runtime/history/verify-job.ts'
import { appendRecords } from '../../../src/testing/append-records.ts'
import type { Job } from '../../../src/topology/job.ts'
import { counting, IN, NOW, OUT, Site } from './support/site.ts'

const loaded = (job: Job, hash = 'hash') => ({ job, path: 'jobs/j.ts', hash })
const generation = 'g1'

/** Three runs of a job that counts. */
async function lived(): Promise<Site> {
  const site = await Site.with('abcabc')
  await site.log.admin().alter('in', { settings: { 'cleanup.policy': 'compact' } })
  await site.run(counting)
  await site.write('ab')
  await site.run(counting)
  await site.write('ccd')
  await site.run(counting)
  return site
}

describe('verify', () => {
  it('finds all runs the same, touches nothing and leaves nothing', async () => {
    const site = await lived()
    const before = await site.everything()
    const report = await verifyJob(site.env(), loaded(counting), { generation })
    expect(report).toMatchObject({ same: true, runs: [{ verdict: 'same' }, { verdict: 'same' }, { verdict: 'same' }] })
    expect(report.runs.map(({ records }) => records)).toEqual([6, 2, 3])
    expect(await site.everything()).toEqual(before)
  })

  it('names a change of the input, and the run that read it', async () => {
    const site = await lived()
    await site.log.admin().compact('in')
    const report = await verifyJob(site.env(), loaded(counting), { generation })
    expect(report.same).toBe(false)
    expect(report.runs[0]).toMatchObject({ verdict: 'input-changed', inputs: ['in/0'], otherJob: false })
    expect(report.runs[2]?.inputs).toEqual(['in/0'])
  })

  it('goes up to the run that is named, and no further', async () => {
    const site = await lived()
    const [, second] = site.rows().toReversed()
    const run = second?.runId.slice(0, 36) ?? ''
    const report = await verifyJob(site.env(), loaded(counting), { generation, run })
    expect(report.runs.map(({ runId }) => runId)).toEqual([site.rows().at(-1)?.runId, second?.runId])
    await expect(verifyJob(site.env(), loaded(counting), { generation, run: 'x' })).rejects.toMatchObject({
      code: 'USAGE',
    })
  })

  it('tells a job that makes something else of the same input', async () => {
    const site = await lived()
    const other = makeJob('j', { sliceRecords: 3 }, ({ stream }) => {
      stream(IN)
        .filter((value) => value !== 1)
        .groupByKey()
        .count('counts')
        .toStream()
        .to(OUT)
    })
    const report = await verifyJob(site.env(), loaded(other, 'other'), { generation })
    expect(report.runs[0]).toMatchObject({
      verdict: 'result-changed',
      inputs: [],
      stores: ['counts/0'],
      otherJob: true,
    })
    expect(report.runs[2]).toMatchObject({ verdict: 'result-changed', inputs: [] })
  })

  it('tells values that differ where keys and times do not', async () => {
    const site = await lived()
    const doubled = makeJob('j', {}, ({ stream }) => {
      stream(IN)
        .groupByKey()
        .count('counts')
        .toStream()
        .mapValues((count) => 2 * count)
        .to(OUT)
    })
    const report = await verifyJob(site.env(), loaded(doubled), { generation })
    expect(report.runs[0]).toMatchObject({ verdict: 'result-changed', stores: [], otherJob: false })
    expect(report.runs[0]?.outputs).toHaveLength(1)
  })

  it('refuses where input is gone', async () => {
    const site = await lived()
    await site.log.admin().trim({ topic: 'in', partition: 0 }, 3)
    await expect(verifyJob(site.env(), loaded(counting), { generation })).rejects.toMatchObject({ code: 'INPUT_LOST' })
    expect(site.first.state.generations('j')).toEqual(['g1'])
  })

  it('is cleaned up after by the next run, where it died', async () => {
    const site = await lived()
    site.first.state.open('j', 'tmp.verify', { create: true }).close()
    await site.run(counting)
    expect(site.first.state.generations('j')).toEqual(['g1'])
    await expect(site.run(counting, { from: 'earliest', as: 'tmp.mine' })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('explain', () => {
  const explain = (site: Site, job: Job, store: string, query: object) =>
    explainRows(site.env(), loaded(job), { generation, store, queries: [query], limit: 100 })

  it('lists the records that wrote a key of an aggregate, with the value before and after', async () => {
    const site = await lived()
    const { writes, omitted } = await explain(site, counting, 'counts', { key: 'a' })
    expect(
      writes.map(({ record, before, after }) => [record?.offset, record?.key, before?.value, after?.value]),
    ).toEqual([
      [0, 'a', undefined, 1],
      [3, 'a', 1, 2],
      [6, 'a', 2, 3],
    ])
    expect(new Set(writes.map(({ runId }) => runId))).toEqual(
      new Set(
        site
          .rows()
          .slice(1)
          .map(({ runId }) => runId),
      ),
    )
    expect(omitted).toBe(0)
    expect(site.first.state.generations('j')).toEqual(['g1'])
  })

  it('keeps the newest where there are more than it may list', async () => {
    const site = await lived()
    const queries = [{ key: 'c' }]
    const report = await explainRows(site.env(), loaded(counting), { generation, store: 'counts', queries, limit: 1 })
    expect(report).toMatchObject({ omitted: 3, writes: [{ before: { value: 3 }, after: { value: 4 } }] })
  })

  it('tells one window of a key from the others', async () => {
    const windows = makeJob('j', {}, ({ stream }) => {
      stream(IN)
        .groupByKey()
        .windowedBy(tumbling(4))
        .count('windows')
        .toStream()
        .selectKey((_, { key }) => key, string())
        .to(OUT)
    })
    const site = await Site.with('aabaaab')
    await site.run(windows)
    const { writes } = await explain(site, windows, 'windows', { key: 'a', fromTime: 4, toTime: 5 })
    expect(writes.map(({ record, after }) => [record?.offset, after?.start, after?.value])).toEqual([
      [4, 4, 1],
      [5, 4, 2],
    ])
  })

  it('names the records of both sides of a join', async () => {
    const OTHER = topic('other', { key: string(), value: json<number>() })
    const joined = makeJob('j', {}, ({ stream }) => {
      stream(IN)
        .join(stream(OTHER), (left, right) => left + right, joinWindows(5), 'pairs')
        .groupByKey()
        .aggregate(
          'sums',
          sum((value: number) => value),
        )
        .toStream()
        .to(OUT)
    })
    const site = await Site.with('ab')
    await site.log.admin().create({ name: 'other', partitions: 1 })
    await appendRecords(site.log, OTHER, [{ key: 'a', value: 10, timestamp: 1 }], NOW)
    await site.run(joined)
    await site.write('a')
    await site.run(joined)
    const { writes } = await explain(site, joined, 'sums', { key: 'a' })
    expect(writes.map(({ record, after }) => [record?.topic, record?.offset, after?.value])).toEqual([
      ['other', 0, 10],
      ['in', 2, 20],
    ])
  })
})
