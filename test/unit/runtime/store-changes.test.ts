import { type Job, job, string, sum } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { counting, IN, OUT, passing, Site } from './support/site.ts'

const summing: Job = job('j', {}, ({ stream }) => {
  stream(IN)
    .groupByKey()
    .aggregate(
      'counts',
      sum((value) => value),
    )
    .toStream()
    .to(OUT)
})

/** With `counts`, and one more. */
function withMore(fails = false): Job {
  return job('j', {}, ({ stream }) => {
    const input = stream(IN).peek(() => {
      if (fails) throw new Error('not yet')
    })
    input.groupByKey().count('counts').toStream().to(OUT)
    input.groupBy((value) => `v${value}`, string()).count('more')
  })
}

const names = (site: Site) => site.reading((file) => file.stores().map(({ name }) => name))

describe('the stores of a job that has changed', () => {
  it('start empty where they are new, and that is told and recorded once', async () => {
    const site = await Site.with('ab')
    expect(await site.run(counting)).toMatchObject([{ notices: [] }])
    await site.write('a')
    const [run] = await site.run(withMore())
    expect(run?.notices).toEqual(['store more is new: it starts empty'])
    expect(site.events()).toMatchObject([
      { kind: 'cut' },
      { kind: 'store-added', detail: { store: 'more' } },
      { kind: 'cut' },
    ])
    expect(run?.stores).toEqual([
      { name: 'counts', entries: 2 },
      { name: 'more', entries: 1 },
    ])
    await site.write('a')
    expect(await site.run(withMore())).toMatchObject([{ notices: [] }])
    expect(site.events().filter(({ kind }) => kind === 'store-added')).toHaveLength(1)
  })

  it('are recorded also where there is nothing to read', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    expect(await site.run(withMore())).toMatchObject([{ slices: 1, records: 0, status: 'done' }])
    expect(await site.run(withMore())).toMatchObject([{ slices: 0, records: 0, status: 'done' }])
    expect(site.events().map(({ kind }) => kind)).toEqual(['cut', 'store-added', 'cut'])
  })

  it('are told where they are the first of a job that had none', async () => {
    const site = await Site.with('ab')
    await site.run(passing)
    expect(await site.run(counting)).toMatchObject([{ notices: ['store counts is new: it starts empty'] }])
    expect(site.events().map(({ kind }) => kind)).toEqual(['cut', 'store-added', 'cut'])
  })

  it.each(['process', 'store-commit'] as const)('are new still after a crash at %s', async (step) => {
    const site = await Site.with('ab')
    await site.run(counting)
    await site.write('a')
    await site.die(withMore(), step, 1)
    expect(await site.run(withMore())).toMatchObject([{ notices: ['store more is new: it starts empty'] }])
    expect(site.events().map(({ kind }) => kind)).toEqual(['cut', 'store-added', 'cut'])
  })

  it('stop the run where one was changed, with the ways out, and nothing but its row is written', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    const before = site.checkpoint()
    const error = await site.fail(summing)
    expect(error).toMatchObject({ code: 'STATE_INCOMPATIBLE', exit: 76, at: { step: 'counts' } })
    for (const way of ['another name', 'tidemark reset', 'put the job back']) expect(error.hint).toContain(way)
    expect(site.rows()).toMatchObject([{ status: 'failed', error: { code: 'STATE_INCOMPATIBLE' } }, { status: 'done' }])
    expect(site.checkpoint()).toEqual(before)
    expect(await site.run(counting)).toMatchObject([{ status: 'done', stores: [{ name: 'counts', entries: 2 }] }])
  })

  it('may be changed as long as nothing was committed', async () => {
    const site = await Site.with('ab')
    await site.die(counting, 'store-commit', 1)
    expect(await site.run(summing)).toMatchObject([{ status: 'done', records: 2, notices: [] }])
    expect(await site.out()).toEqual(['a=0', 'b=1'])
  })

  it('may be changed after a failure before their first commit', async () => {
    const site = await Site.with('ab')
    await site.run(passing)
    await site.write('ab')
    expect(await site.fail(withMore(true))).toMatchObject({ code: 'USER_CODE_FAILED' })
    expect(await site.run(summing)).toMatchObject([{ status: 'done', records: 2 }])
    expect(names(site)).toEqual(['counts'])
  })

  it('keep their rows where the job no longer has them, and that is told', async () => {
    const site = await Site.with('ab')
    await site.run(withMore())
    await site.write('a')
    const [run] = await site.run(counting)
    expect(run?.notices).toEqual(['store more is no longer part of the job; its rows stay'])
    expect(names(site)).toEqual(['counts', 'more'])
    const rows = site.reading((file) => file.stores().map((identity) => [...file.table(identity).scan({})].length))
    expect(rows).toEqual([2, 2])
  })

  it('are told where they come back with the rows that they had', async () => {
    const site = await Site.with('ab')
    await site.run(withMore())
    await site.run(counting, { closeWindows: true })
    const [run] = await site.run(withMore())
    expect(run?.notices).toEqual(['store more is back, with the 2 rows that it had: it has missed what was read since'])
    expect(site.events().at(-2)).toMatchObject({ kind: 'store-added', detail: { store: 'more', entries: 2 } })
  })
})
