import { joinWindows, json, job as makeJob, session, sliding, string, topic, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { explainRows } from '../../../src/runtime/history/explain-rows.ts'
import { appendRecords } from '../../../src/testing/append-records.ts'
import type { Job } from '../../../src/topology/job.ts'
import { IN, NOW, OUT, Site } from './support/site.ts'

type Row = readonly [key: string, value: number, timestamp: number]

const OTHER = topic('other', { key: string(), value: json<number>() })

async function explained(site: Site, job: Job, store: string, query: object) {
  const loaded = { job, path: 'jobs/j.ts', hash: 'hash' }
  const report = await explainRows(site.env(), loaded, { generation: 'g1', store, queries: [query], limit: 100 })
  return report.writes
}

async function write(site: Site, ...rows: readonly Row[]): Promise<void> {
  const records = rows.map(([key, value, timestamp]) => ({ key, value, timestamp }))
  await appendRecords(site.log, IN, records, NOW)
}

/** A site where the job ran after each stretch. */
async function lived(job: Job, ...stretches: readonly (readonly Row[])[]): Promise<Site> {
  const site = await Site.with('')
  for (const stretch of stretches) {
    await write(site, ...stretch)
    await site.run(job)
  }
  return site
}

describe('explain', () => {
  it('shows sessions that grow and merge, each written away where it gets other ends', async () => {
    const sessions = makeJob('j', {}, ({ stream }) => {
      stream(IN)
        .groupByKey()
        .windowedBy(session(5, { grace: 20 }))
        .count('sessions')
    })
    const site = await lived(
      sessions,
      [
        ['a', 1, 0],
        ['a', 1, 8],
        ['b', 1, 9],
      ],
      [['a', 1, 4]],
    )
    const writes = await explained(site, sessions, 'sessions', { key: 'a' })
    const window = (entry: { start?: number; end?: number; value: unknown } | null) =>
      entry === null ? null : `${entry.start}-${entry.end}: ${entry.value}`
    expect(writes.map(({ record, before, after }) => [record?.offset, window(before), window(after)])).toEqual([
      [0, null, '0-0: 1'],
      [1, null, '8-8: 1'],
      [3, '0-0: 1', null],
      [3, '8-8: 1', null],
      [3, null, '0-8: 3'],
    ])
    expect(await explained(site, sessions, 'sessions', { key: 'a', fromTime: 8 })).toHaveLength(2)
  })

  it('shows every sliding window that a record falls in', async () => {
    const windows = makeJob('j', {}, ({ stream }) => {
      stream(IN)
        .groupByKey()
        .windowedBy(sliding(10, { grace: 5 }))
        .count('windows')
    })
    const site = await lived(windows, [
      ['a', 1, 20],
      ['b', 1, 21],
      ['a', 1, 26],
    ])
    const writes = await explained(site, windows, 'windows', { key: 'a' })
    expect(writes.map(({ record, after }) => [record?.offset, after?.start, after?.end, after?.value])).toEqual([
      [0, 10, 20, 1],
      [2, 21, 31, 1],
      [2, 16, 26, 2],
    ])
    const one = await explained(site, windows, 'windows', { key: 'a', fromTime: 16, toTime: 17 })
    expect(one).toMatchObject([{ record: { offset: 2, key: 'a', timestamp: 26 }, before: null, after: { value: 2 } }])
  })

  it('shows what a join keeps of a side, as the records themselves', async () => {
    const joined = makeJob('j', {}, ({ stream }) => {
      stream(IN)
        .leftJoin(stream(OTHER), (left, right) => left + (right ?? 0), joinWindows(5, { grace: 0 }), 'pairs')
        .to(OUT)
    })
    const site = await Site.with('')
    await site.log.admin().create({ name: OTHER.name, partitions: 1 })
    await appendRecords(site.log, OTHER, [{ key: 'a', value: 10, timestamp: 2 }], NOW)
    await write(site, ['a', 1, 1], ['b', 2, 1], ['a', 3, 30])
    await site.run(joined)
    const left = await explained(site, joined, 'pairs-left', { key: 'a' })
    expect(left.map(({ record, before, after }) => [record?.topic, record?.offset, before, after?.value])).toEqual([
      ['in', 0, null, 1],
      ['in', 2, null, 3],
    ])
    const right = await explained(site, joined, 'pairs-right', { key: 'a' })
    expect(right).toMatchObject([
      { record: { topic: 'other', offset: 0 }, after: { key: 'a', value: 10, timestamp: 2 } },
    ])
    const waiting = await explained(site, joined, 'pairs-left-unmatched', { key: 'b' })
    expect(waiting.map(({ record, before, after }) => [record?.offset, before?.value, after?.value])).toEqual([
      [1, undefined, 2],
      [2, 2, undefined],
    ])
  })

  it('shows what a join by foreign key asks for, and both sides that made its rows', async () => {
    const joined = makeJob('j', {}, ({ table }) => {
      table(IN)
        .join(
          table(OTHER),
          (value) => (value > 5 ? 'x' : 'y'),
          (left, right) => left + right,
          'named',
          {
            result: json<number>(),
          },
        )
        .to(OUT)
    })
    const site = await Site.with('')
    await site.log.admin().create({ name: OTHER.name, partitions: 1 })
    await write(site, ['a', 1, 1], ['a', 7, 3])
    await site.run(joined)
    await appendRecords(site.log, OTHER, [{ key: 'x', value: 10, timestamp: 5 }], NOW)
    await site.run(joined)
    const rows = await explained(site, joined, 'named', { key: 'a' })
    expect(rows.map(({ record, before, after }) => [record?.topic, record?.offset, before, after?.value])).toEqual([
      ['other', 0, null, 17],
    ])
    const asked = await explained(site, joined, 'named-subscriptions', { key: 'x' })
    expect(asked).toMatchObject([{ record: { topic: 'in', offset: 1 }, before: null }])
    const dropped = await explained(site, joined, 'named-subscriptions', { key: 'y' })
    expect(dropped.map(({ record, after }) => [record?.offset, after === null])).toEqual([
      [0, false],
      [1, true],
    ])
  })

  it('has no line for a record that wrote nothing, such as a late one', async () => {
    const windows = makeJob('j', {}, ({ stream }) => {
      stream(IN)
        .groupByKey()
        .windowedBy(tumbling(10, { grace: 0 }))
        .count('windows')
    })
    const site = await lived(windows, [
      ['a', 1, 5],
      ['a', 1, 25],
      ['a', 1, 6],
    ])
    expect(site.rows()[0]?.steps.windows).toMatchObject({ late: 1 })
    const writes = await explained(site, windows, 'windows', { key: 'a' })
    expect(writes.map(({ record }) => record?.offset)).toEqual([0, 1])
  })
})
