import { job } from 'tidemark'
import { beforeEach, describe, expect, it } from 'vitest'
import { dropGeneration } from '../../../src/runtime/switching/drop-generation.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { IN, OUT, Site } from '../runtime/support/site.ts'
import { COUNTS, compare, FIXED, OLD, published, remake, run, tableOf, turn, turnBack } from './support/versions.ts'

describe('what is not to change the live generation', () => {
  let site: Site

  beforeEach(async () => {
    site = await Site.with('aabbccdd')
    await run(site.env(), OLD)
  })

  const live = () => contentsOf(site, 'g1')

  it('does not: a reprocessing, a comparison, and a switch that is refused', async () => {
    const before = { live: live(), record: await site.record(), said: await published(site.log) }
    await remake(site.env())
    await compare(site.env())
    await expect(turn(site.env(), { maxDifferent: 2 })).rejects.toMatchObject({
      code: 'SWITCH_REFUSED',
      exit: 65,
      message: '3 rows differ from the live ones (counts 3), more than --max-different 2',
    })
    const after = { live: live(), record: await site.record(), said: await published(site.log) }
    expect(after.live).toEqual(before.live)
    expect(after.said).toEqual(before.said)
    expect(after.record).toMatchObject({ token: before.record?.token, delivery: { leaseUntil: 0 } })
    expect(site.first.state.generations('j')).toEqual(['g1', 'g2'])
  })

  it('a switch that would have to replay too much', async () => {
    await remake(site.env())
    await site.write('abc')
    await run(site.env(), OLD)
    const error = { code: 'SWITCH_REFUSED', message: 'g2 lacks 3 records, more than --max-catch-up 2' }
    await expect(turn(site.env(), { maxCatchUp: 2 })).rejects.toMatchObject(error)
    await remake(site.env())
    await expect(turn(site.env(), { maxCatchUp: 0 })).resolves.toMatchObject({ caughtUp: 0 })
  })

  it('a switch in the middle of a run', async () => {
    await remake(site.env())
    await site.write('abcabc')
    await site.die(OLD.job, 'process', 2)
    await expect(turn(site.env())).rejects.toMatchObject({ code: 'SWITCH_REFUSED' })
    await run(site.env(), OLD)
    await expect(turn(site.env())).resolves.toMatchObject({ caughtUp: 6 })
  })

  it.each([
    ['g1', 'g1 is live'],
    ['r', 'r is a range'],
    ['nobody', 'has no generation nobody'],
  ])('a switch to %s, which replays nothing', async (generation, words) => {
    await site.run(OLD.job, { from: '1', to: '3', as: 'r' })
    const error = { code: 'USAGE', message: expect.stringContaining(words) }
    await expect(compare(site.env(), generation)).rejects.toMatchObject(error)
    if (generation !== 'g1') await expect(turn(site.env(), { generation })).rejects.toMatchObject(error)
  })

  it('a reprocessing that is refused for its job file, which is not put in the place of the right one', async () => {
    await remake(site.env())
    const rows = () => site.first.state.jobFile('j').generations()
    const before = rows()
    const other = remake(site.env(), { ...FIXED, path: 'other.ts', hash: 'other' })
    await expect(other).rejects.toMatchObject({ code: 'RANGE_COVERED_DIFFERENTLY' })
    expect(rows()).toEqual(before)
  })

  it('a job file that is no longer what the generation was made with', async () => {
    await remake(site.env())
    const jobs = { live: OLD, other: { ...FIXED, hash: 'edited' } }
    await expect(turn(site.env(), {}, jobs)).rejects.toMatchObject({ code: 'USAGE' })
    await expect(compare(site.env(), 'g2', jobs)).rejects.toMatchObject({ code: 'USAGE' })
    const again = remake(site.env(), jobs.other)
    await expect(again).rejects.toMatchObject({ code: 'RANGE_COVERED_DIFFERENTLY' })
    expect(site.checkpoint()?.generation).toBe('g1')
  })

  it.each([['process'], ['delivered']] as const)('a replay of what was live before, cut short at %s', async (step) => {
    await remake(site.env())
    const process = mortal(site.env(), { step, nth: 2 })
    await expect(remake(process.env, FIXED, 'g3')).rejects.toThrow()
    expect(process.died()).toBe(true)
    site.first.state.crash()
    site.first.locks.crash()
    await turn(site.env())
    const error = {
      code: 'USAGE',
      message: 'g3 replays the history of g1, and g2 is live now',
      hint: 'Start it anew: tidemark reprocess j --as g3 --with FILE --replace.',
    }
    const jobs = { live: FIXED, other: FIXED }
    await expect(compare(site.env(), 'g3', jobs)).rejects.toMatchObject(error)
    await expect(turn(site.env(), { generation: 'g3' }, jobs)).rejects.toMatchObject(error)
    await turnBack(site.env())
    expect(await turn(site.env(), { generation: 'g3' })).toMatchObject({ generation: 'g3', from: 'g1' })
  })

  it('a way back where there is none', async () => {
    await remake(site.env())
    await turn(site.env(), { keep: 0 })
    expect(site.first.state.generations('j')).toEqual(['g2'])
    await expect(turnBack(site.env())).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('has another generation removed, and not one that is live or that somebody has open', async () => {
    await remake(site.env())
    const env = site.env()
    const role = 'reprocessed'
    expect(await dropGeneration(env, 'j', 'g2', true)).toMatchObject({ role, done: false })
    const lock = env.locks.acquire('j/g2', 'a test')
    await expect(dropGeneration(env, 'j', 'g2', false)).rejects.toMatchObject({ code: 'LOCKED' })
    lock.release()
    expect(site.first.state.generations('j')).toEqual(['g1', 'g2'])
    expect(await dropGeneration(env, 'j', 'g2', false)).toMatchObject({ role, done: true })
    expect(site.first.state.generations('j')).toEqual(['g1'])
    await expect(dropGeneration(env, 'j', 'g2', false)).rejects.toMatchObject({ code: 'USAGE' })
    await expect(dropGeneration(env, 'j', 'g1', false)).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('topics that cannot be corrected', () => {
  const both = (file: string, times: number) => ({
    job: job('j', { sliceRecords: 2 }, ({ stream }) => {
      const counts = stream(IN).groupByKey().count('counts')
      counts.mapValues((count) => count * times).to(COUNTS, { owner: true })
      counts
        .toStream()
        .mapValues((count) => count * times)
        .to(OUT)
    }),
    path: file,
    hash: file,
  })
  const jobs = { live: both('one.ts', 1), other: both('two.ts', 2) }

  it('are to be named, and are left as they are', async () => {
    const site = await Site.with('aab')
    await run(site.env(), jobs.live)
    await remake(site.env(), jobs.other)
    const out = await site.out()
    await expect(turn(site.env(), {}, jobs)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('out is no table'),
      hint: expect.stringContaining('--no-corrections=out'),
    })
    const unknown = turn(site.env(), { noCorrections: ['out', 'elsewhere'] }, jobs)
    await expect(unknown).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('elsewhere') })
    expect(await turn(site.env(), { noCorrections: ['out'] }, jobs)).toMatchObject({ corrections: 2 })
    expect(await site.out()).toEqual(out)
    expect(await tableOf(site.log)).toEqual({ a: 4, b: 2 })
  })

  it('may be tables too, and the way back corrects what was published since', async () => {
    const site = await Site.with('aab')
    await run(site.env(), jobs.live)
    await remake(site.env(), jobs.other)
    const noCorrections = ['out', COUNTS.name]
    expect(await turn(site.env(), { noCorrections }, jobs)).toMatchObject({ corrected: [], corrections: 0 })
    expect(await tableOf(site.log)).toEqual({ a: 2, b: 1 })
    await site.write('a')
    await run(site.env(), jobs.other)
    expect(await tableOf(site.log)).toEqual({ a: 6, b: 1 })
    await turnBack(site.env(), { noCorrections: ['out'] }, { live: jobs.other, other: jobs.live })
    expect(await tableOf(site.log)).toEqual({ a: 3, b: 1 })
  })
})

function contentsOf(site: Site, generation: string): unknown {
  return site.reading((file) => {
    const stores = file.stores().map((identity) => [...file.table(identity).scan({})])
    return { checkpoint: file.checkpoint(), outbox: file.outbox(), stores, runs: file.runs(), events: file.events() }
  }, generation)
}
