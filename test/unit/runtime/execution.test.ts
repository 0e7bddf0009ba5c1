import { type Job, type JobOptions, job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { IN, OUT, Site } from './support/site.ts'

const REFUSED = topic('refused', { key: string(), value: json<number>() })

/** Counts by key, and fails on the values 2 and 5, when the key has been counted already. */
function picky(options: JobOptions): Job {
  return job('j', { sliceRecords: 4, ...options }, ({ stream }) => {
    stream(IN).groupByKey().count('counts').toStream().to(OUT)
    stream(IN).peek((value) => {
      if (value === 2 || value === 5) throw new Error(`not ${value}`)
    })
  })
}

const skipping = picky({ onUserError: 'skip' })

/** How many slices the run had behind each of its rows that was told. */
function told(): { readonly onProgress: (row: { records: number }) => void; readonly records: number[] } {
  const records: number[] = []
  return { records, onProgress: (row) => records.push(row.records) }
}

describe('a record on which user code fails', () => {
  it('fails the run, which leaves no trace of its slice', async () => {
    const site = await Site.with('aaaaaaaa')
    const failing = picky({ sliceRecords: 2 })
    const error = await site.fail(failing)
    expect(error).toMatchObject({ code: 'USER_CODE_FAILED', at: { topic: 'in', partition: 0, offset: 2 } })
    expect(site.rows()).toMatchObject([{ status: 'failed', records: 2, slices: 1, error: error.toJSON() }])
    expect(site.checkpoint()).toMatchObject({ offsets: { 'in/0': 2 }, streamTimes: {} })
    expect(await site.out()).toEqual(['a=1', 'a=2'])
  })

  it('is left out where the job says so: its slice is done again without it, and ends behind it', async () => {
    const site = await Site.with('aaaaaaaa')
    const { onProgress, records } = told()
    const [run] = await site.run(skipping, { onProgress })
    expect(records).toEqual([0, 3, 6, 8])
    expect(run).toMatchObject({ status: 'done', records: 8, slices: 3 })
    expect(Object.values(run?.steps ?? {}).map(({ skipped }) => skipped)).toContainEqual({ 'user-error': 2 })
    expect(await site.out()).toEqual(['a=1', 'a=2', 'a=3', 'a=4', 'a=5', 'a=6'])
    expect(site.events()).toMatchObject([
      { kind: 'skipped', seq: 1, detail: { topic: 'in', partition: 0, offset: 2, reason: 'user-error' } },
      { kind: 'skipped', seq: 2, detail: { topic: 'in', partition: 0, offset: 5, reason: 'user-error' } },
      { kind: 'cut', seq: 3 },
    ])
    expect(site.checkpoint()?.made?.leftOut.map(({ offset }) => offset)).toEqual([2, 5])
  })

  it.each(['process', 'send', 'store-commit', 'outside-commit', 'delivered'] as const)(
    'is left out once, where the run dies at %s',
    async (step) => {
      const undisturbed = await Site.with('aaaaaaaa')
      await undisturbed.run(skipping)
      for (const nth of [1, 2, 3]) {
        const site = await Site.with('aaaaaaaa')
        await site.die(skipping, step, nth)
        await site.run(skipping)
        const row = site.rows().find(({ records }) => records > 0)
        const wanted = undisturbed.rows()[0]
        expect(row).toMatchObject({ status: 'done', records: 8, slices: 3, steps: wanted?.steps })
        expect(await site.out()).toEqual(await undisturbed.out())
        const kinds = (of: Site) => of.events().map(({ kind, seq, detail }) => ({ kind, seq, detail }))
        expect(kinds(site)).toEqual(kinds(undisturbed))
      }
    },
  )

  it('goes to the dead letters with the commit of its slice, and not before', async () => {
    const site = await Site.with('aaaaaaaa')
    const dead = picky({ onUserError: 'dead-letter', deadLetterTopic: REFUSED.name })
    const letters = async () => (await readTopic(site.log, REFUSED, new Map())).map(({ value }) => value)
    await site.die(dead, 'store-commit', 1)
    expect(await letters()).toEqual([])
    await site.die(dead, 'delivered', 1)
    expect(await letters()).toEqual([2])
    const [run] = await site.run(dead)
    expect(await letters()).toEqual([2, 5])
    expect(Object.values(run?.steps ?? {}).map(({ deadLettered }) => deadLettered)).toContain(2)
  })

  it('counts against the limit of the run, over slices and attempts', async () => {
    const site = await Site.with('aaaaaaaa')
    const limited = picky({ onUserError: 'skip', maxSkipped: 1 })
    await site.die(limited, 'process', 3)
    expect(site.rows()).toMatchObject([{ records: 3 }])
    const error = await site.fail(limited)
    expect(error).toMatchObject({ code: 'SKIP_LIMIT_EXCEEDED', exit: 65, at: { offset: 5 } })
    expect(site.rows()).toMatchObject([{ status: 'failed', attempt: 2, records: 3 }])
    expect(await site.out()).toEqual(['a=1', 'a=2'])
  })
})

describe('a slice', () => {
  it('ends after so many records of the merged order, and each is a commit of its own', async () => {
    const site = await Site.with('aaaaaaa')
    const { onProgress, records } = told()
    const plain = job('j', { sliceRecords: 3 }, ({ stream }) => stream(IN).to(OUT))
    await site.run(plain, { onProgress })
    expect(records).toEqual([0, 3, 6, 7])
    expect(site.checkpoint()?.token.seq).toBe(3)
  })

  it('ends after so many staged bytes', async () => {
    const site = await Site.with('a'.repeat(40))
    const { onProgress, records } = told()
    const long = topic('long', { key: string(), value: string() })
    const wordy = job('j', { sliceBytes: 1_000_000 }, ({ stream }) => {
      stream(IN)
        .mapValues(() => 'x'.repeat(100_000))
        .to(long)
    })
    await site.run(wordy, { onProgress })
    // It is looked at after every sixteen records.
    expect(records).toEqual([0, 16, 32, 40])
  })

  it('is committed also where there is nothing in it but the end', async () => {
    const site = await Site.with('')
    expect(await site.run(skipping)).toMatchObject([{ status: 'done', slices: 1, records: 0 }])
    expect(site.checkpoint()).toMatchObject({ offsets: { 'in/0': 0 }, token: { seq: 1 } })
    expect(await site.run(skipping)).toMatchObject([{ status: 'done', slices: 0, records: 0 }])
  })
})
