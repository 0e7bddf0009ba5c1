import { job, json, string, timeWindowed, topic, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { appendRecords } from '../../../src/testing/append-records.ts'
import { IN, NOW, Site } from '../runtime/support/site.ts'
import { compare, remake, run, turn } from './support/versions.ts'

const DAY_MS = 86_400_000
const WINDOWS = topic('windows-out', { key: timeWindowed(string(), '10s'), value: json<number>() })

const windows = (file: string, least: number) => ({
  job: job('j', { sliceRecords: 3 }, ({ stream }) => {
    stream(IN)
      .groupByKey()
      .windowedBy(tumbling('10s', { grace: '5s' }))
      .count('windows')
      .filter((count) => count >= least)
      .to(WINDOWS, { owner: true })
  }),
  path: file,
  hash: file,
})

describe('a table of windows', () => {
  it('is not corrected by the version that published it, windows that have expired included', async () => {
    const site = await played()
    const jobs = { live: windows('one.ts', 1), other: windows('two.ts', 1) }
    await run(site.env(), jobs.live)
    await remake(site.env(), jobs.other)
    expect(await compare(site.env(), 'g2', jobs)).toMatchObject({ differing: 0, stores: [{ same: 2 }] })
    expect(await turn(site.env(), {}, jobs)).toMatchObject({ corrected: ['windows-out'], corrections: 0 })
  })

  it('is corrected where another version would have published others', async () => {
    const site = await played()
    const jobs = { live: windows('one.ts', 1), other: windows('two.ts', 2) }
    await run(site.env(), jobs.live)
    await remake(site.env(), jobs.other)
    // Of five windows one has two records; three of the others have expired in the store.
    expect(await turn(site.env(), {}, jobs)).toMatchObject({ corrections: 4 })
  })
})

/** Records of two days, in windows of which those of the first day have expired. */
async function played(): Promise<Site> {
  const site = await Site.with('')
  const times = [0, 12_000, 14_000, 25_000, 3 * DAY_MS, 3 * DAY_MS + 11_000]
  const records = times.map((timestamp) => ({ key: 'a', value: 1, timestamp }))
  await appendRecords(site.log, IN, records, NOW)
  return site
}
