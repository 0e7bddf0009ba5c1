import { describe, expect, it } from 'vitest'
import { TidemarkError } from '../../../src/core/errors.ts'
import type { CommitRecord } from '../../../src/ports/outside.ts'
import { jobStatus } from '../../../src/runtime/job-status.ts'
import { counting, passing, Site } from './support/site.ts'

describe('a state file that is lost', () => {
  it('stops a job with stores, says where the file was and the ways out', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    site.first.state.remove('j', 'g1')
    const before = await site.everything()
    const error = await site.fail(counting)
    expect(error).toMatchObject({ code: 'STATE_MISSING', exit: 76 })
    for (const way of [site.first.state.pathOf('j', 'g1'), 'state restore', '--init']) expect(error.hint).toContain(way)
    expect(await site.everything()).toEqual(before)
    expect(site.first.state.generations('j')).toEqual([])
  })

  it('is told by the status, which goes on with the other jobs', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    expect(await jobStatus(site.env(), 'j')).toMatchObject({ lastRun: { status: 'done' }, problem: null })
    site.first.state.remove('j', 'g1')
    expect(await jobStatus(site.env(), 'j')).toMatchObject({ lastRun: null, problem: { code: 'STATE_MISSING' } })
    const damaged = new TidemarkError('STATE_DAMAGED', 'not a database', { hint: '' })
    const jobFile = () => {
      throw damaged
    }
    const env = { ...site.env(), state: Object.assign(Object.create(site.first.state), { jobFile }) }
    expect(await jobStatus(env, 'j')).toMatchObject({ lastRun: null, problem: { code: 'STATE_DAMAGED' } })
  })

  it('is started empty by --init, and the first token follows the last one outside', async () => {
    const site = await Site.with('aab')
    await site.run(counting)
    const last = site.checkpoint()?.token
    expect(last?.seq).toBe(2)
    site.first.state.remove('j', 'g1')
    await site.write('a')
    expect(await site.run(counting, { init: true })).toMatchObject([{ status: 'done', records: 4 }])
    const { token } = (await site.record()) as CommitRecord
    expect(token).toMatchObject({ seq: 4 })
    expect(site.checkpoint()?.token).toEqual(token)
    const [init, cut] = site.events()
    expect(init).toMatchObject({ kind: 'init', seq: 3 })
    expect(cut).toMatchObject({ kind: 'cut', seq: 4 })
    expect(await site.out()).toEqual(['a=1', 'a=2', 'b=1', 'a=1', 'a=2', 'b=1', 'a=3'])
  })

  it('gives the first token after --init the last one outside as its parent', async () => {
    const site = await Site.with('a')
    await site.run(counting)
    const parent = site.checkpoint()?.token.id
    site.first.state.remove('j', 'g1')
    await site.run(counting, { init: true })
    expect(site.checkpoint()?.token).toMatchObject({ seq: 2, parent })
  })

  it('goes on after a crash between the commits of a start with --init', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    site.first.state.remove('j', 'g1')
    await site.outcome(counting, { init: true }, { dies: { step: 'outside-commit', nth: 1 } })
    expect(await site.run(counting)).toMatchObject([{ status: 'done', records: 0 }])
    expect(await site.out()).toEqual(['a=1', 'b=1', 'a=1', 'b=1'])
    expect(site.events().map(({ kind }) => kind)).toEqual(['init', 'cut'])
  })

  it('is taken from the last commit where the job keeps no stores', async () => {
    const site = await Site.with('ab')
    await site.run(passing)
    const { id } = site.checkpoint()?.token ?? {}
    site.first.state.remove('j', 'g1')
    await site.write('c')
    expect(await site.run(passing)).toMatchObject([{ status: 'done', records: 1 }])
    expect(site.checkpoint()?.token).toMatchObject({ seq: 2, parent: id })
    expect(await site.out()).toEqual(['a=0', 'b=1', 'c=0'])
  })

  it('is noticed by what job.db remembers, where the log has forgotten too', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    site.first.state.remove('j', 'g1')
    site.cluster.commits('j', 'live').inForce = undefined
    expect(await site.fail(counting)).toMatchObject({ code: 'STATE_MISSING' })
    await site.run(counting, { init: true })
    expect(site.checkpoint()?.token).toMatchObject({ seq: 1, parent: null })
  })

  it('is ignored, with --init, where nothing is lost', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    await site.write('a')
    expect(await site.run(counting, { init: true })).toMatchObject([{ status: 'done', records: 1 }])
    expect(site.events().map(({ kind }) => kind)).toEqual(['cut', 'cut'])
  })
})

describe('a log that was restored from an old copy', () => {
  it.each([
    ['older than the parent of the last commit', 1],
    ['before the first commit', 0],
  ])('stops the job where it is %s, and nothing changes', async (_, commits) => {
    const site = await Site.with('')
    const records: (CommitRecord | undefined)[] = [undefined]
    for (const key of 'abc') {
      await site.write(key)
      await site.run(counting)
      records.push(await site.record())
    }
    site.cluster.commits('j', 'live').inForce = records[commits]
    const before = await site.everything()
    for (const request of [{}, { init: true }, { takeOver: true }]) {
      const error = await site.fail(counting, request)
      expect(error).toMatchObject({ code: 'OUTPUT_LOST', exit: 66 })
      expect(error.hint).toContain('restore the log')
    }
    expect(await site.everything()).toEqual(before)
  })

  it('gets the last commit again where it has all but that', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    const copy = await site.record()
    await site.write('c')
    await site.run(counting)
    const last = await site.record()
    // As the log was before the last commit: without its record, and without its outputs.
    site.cluster.commits('j', 'live').inForce = copy
    site.cluster.truncate({ topic: 'out', partition: 0 }, 2)
    expect(await site.run(counting)).toMatchObject([{ status: 'done', records: 0 }])
    expect((await site.record())?.token).toEqual(last?.token)
    expect(await site.out()).toEqual(['a=1', 'b=1', 'c=1'])
  })
})

describe('a commit that was not delivered', () => {
  it.each(['outside-commit', 'delivered'] as const)('is there once after a crash at %s', async (step) => {
    const site = await Site.with('ab')
    await site.die(counting, step, 1)
    const delivered = step === 'delivered'
    expect(await site.out()).toEqual(delivered ? ['a=1', 'b=1'] : [])
    expect((await site.record())?.token).toEqual(delivered ? site.checkpoint()?.token : null)
    expect(await site.run(counting)).toMatchObject([{ status: 'done', records: 0 }])
    expect((await site.record())?.token).toEqual(site.checkpoint()?.token)
    expect(await site.out()).toEqual(['a=1', 'b=1'])
  })

  it.each(['send', 'acknowledge', 'outside-commit', 'delivered'] as const)(
    'is delivered by the start after one that died at %s while it did so',
    async (step) => {
      const site = await Site.with('abcd')
      await site.die(counting, 'outside-commit', 2)
      await site.die(counting, step, 1)
      await site.run(counting)
      expect(await site.out()).toEqual(['a=1', 'b=1', 'c=1', 'd=1'])
      expect(site.rows().find(({ records }) => records > 0)).toMatchObject({ status: 'done', records: 4, slices: 2 })
    },
  )

  it('is damage where there is no outbox', async () => {
    const site = await Site.with('ab')
    await site.die(counting, 'outside-commit', 1)
    const file = site.first.state.open('j', 'g1', { create: true })
    file.dropOutbox()
    file.close()
    const before = site.reading((damaged) => damaged.checkpoint())
    expect(await site.fail(counting)).toMatchObject({ code: 'STATE_DAMAGED', exit: 76 })
    expect(site.reading((damaged) => damaged.checkpoint())).toEqual(before)
    expect(await site.record()).toMatchObject({ token: null })
    expect(await site.out()).toEqual([])
  })
})
