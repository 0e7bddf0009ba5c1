import { describe, expect, it } from 'vitest'
import { counting, newMachine, Site } from './support/site.ts'

const RANGE = { from: '1', to: '3', as: 'r' }

describe('a range of its own', () => {
  it('has a generation of its own, publishes nothing, and leaves the live one alone', async () => {
    const site = await Site.with('aaab')
    await site.run(counting)
    const live = site.checkpoint()
    const outputs = await site.out()
    const outcome = await site.outcome(counting, RANGE)
    expect(outcome).toMatchObject({ outcome: 'ran', runs: [{ generation: 'r', status: 'done', records: 2 }] })
    expect(site.checkpoint('r')).toMatchObject({ offsets: { 'in/0': 3 }, token: { seq: 1, parent: null } })
    expect(site.checkpoint()).toEqual(live)
    expect(await site.out()).toEqual(outputs)
    expect(await site.record('r')).toBeUndefined()
    expect(site.first.state.jobFile('j').generations()).toMatchObject([
      { name: 'g1', role: 'live', bounds: null, published: true },
      { name: 'r', role: 'range', bounds: '1 to 3', published: false },
    ])
  })

  it('is covered when it is asked for again, and nothing is read', async () => {
    const site = await Site.with('aaab')
    const [first] = await site.run(counting, RANGE)
    const before = await site.everything()
    expect(await site.outcome(counting, RANGE)).toMatchObject({ outcome: 'covered', runs: [{ runId: first?.runId }] })
    expect(await site.everything()).toEqual(before)
  })

  it('refuses other bounds under its name', async () => {
    const site = await Site.with('aaab')
    await site.run(counting, RANGE)
    const before = await site.everything()
    const error = await site.fail(counting, { ...RANGE, to: '4' })
    expect(error).toMatchObject({ code: 'RANGE_COVERED_DIFFERENTLY', exit: 64 })
    expect(error.hint).toContain('--replace')
    expect(await site.everything()).toEqual(before)
  })

  it.each([{}, { emit: true }])('is dropped and run anew with --replace: %j', async (emit) => {
    const site = await Site.with('aaab')
    await site.run(counting, { ...RANGE, ...emit })
    const [run, ...more] = await site.run(counting, { ...RANGE, ...emit, to: '4', replace: true })
    expect(more).toEqual([])
    expect(run).toMatchObject({ generation: 'r', status: 'done', records: 3 })
    expect(run?.stores).toEqual([{ name: 'counts', entries: 2 }])
    expect(site.rows('r')).toHaveLength(1)
    expect(await site.outcome(counting, { ...RANGE, ...emit, to: '4' })).toMatchObject({ outcome: 'covered' })
  })

  it('is another one where its end is', async () => {
    const site = await Site.with('aaab')
    await site.run(counting, RANGE)
    const error = await site.fail(counting, { ...RANGE, closeWindows: true })
    expect(error).toMatchObject({ code: 'RANGE_COVERED_DIFFERENTLY', exit: 64 })
    expect(error.message).toContain('over 1 to 3, not 1 to 3 with --close-windows')
  })

  it.each([{ as: 'r' }, { replace: true }])('has a start: %j', async (request) => {
    const site = await Site.with('a')
    expect(await site.fail(counting, request)).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('--from') })
  })

  it('keeps what it has where --replace does not come to its end', async () => {
    const site = await Site.with('aaab')
    await site.run(counting, RANGE)
    const bad = { ...RANGE, from: '2', to: '1', replace: true }
    expect(await site.fail(counting, bad)).toMatchObject({ code: 'USAGE' })
    expect(site.checkpoint('r')).toMatchObject({ offsets: { 'in/0': 3 } })
  })

  it('keeps what it has where --replace may not begin, for another is at it', async () => {
    const site = await Site.with('aaab')
    await site.run(counting, { ...RANGE, emit: true })
    const second = newMachine('second')
    const other = { ...RANGE, emit: true, init: true }
    await site.outcome(counting, other, { on: second, dies: { step: 'process', nth: 1 } })
    const before = await site.everything()
    expect(await site.fail(counting, { ...RANGE, emit: true, replace: true })).toMatchObject({ code: 'LEASED' })
    expect(await site.everything()).toEqual(before)
  })

  it('publishes with --emit, under its own name', async () => {
    const site = await Site.with('aaab')
    await site.run(counting)
    const live = await site.record()
    await site.run(counting, { ...RANGE, emit: true })
    expect((await site.out()).slice(4)).toEqual(['a=1', 'a=2'])
    expect((await site.record('r'))?.token).toEqual(site.checkpoint('r')?.token)
    expect(await site.record()).toEqual(live)
  })

  it.each(['process', 'outside-commit', 'delivered'] as const)('goes on where it crashed at %s', async (step) => {
    const site = await Site.with('aaaaaa')
    const request = { from: '1', to: '6', as: 'r', emit: true }
    await site.outcome(counting, request, { dies: { step, nth: 2 } })
    const { outcome, runs } = (await site.outcome(counting, request)) ?? {}
    expect(outcome).toBe('ran')
    expect(runs).toMatchObject([{ status: 'done', attempt: 2, records: 5, slices: 3 }])
    expect(await site.out()).toEqual(['a=1', 'a=2', 'a=3', 'a=4', 'a=5'])
  })

  it.each([
    [{}, { emit: true }],
    [{ emit: true }, {}],
  ])('says what it does with its results once and for all: %j, then %j', async (first, second) => {
    const site = await Site.with('aaaaaa')
    await site.run(counting, { ...RANGE, ...first })
    const before = await site.everything()
    const error = await site.fail(counting, { ...RANGE, ...second })
    expect(error).toMatchObject({ code: 'RANGE_COVERED_DIFFERENTLY' })
    expect(error.hint).toContain('--replace')
    expect(await site.everything()).toEqual(before)
  })

  it('has the name of its bounds where it has no other', async () => {
    const site = await Site.with('aaab')
    expect(await site.run(counting, { from: '1', to: '3' })).toMatchObject([{ generation: '1_3' }])
    expect(await site.outcome(counting, { from: '1', to: '3' })).toMatchObject({ outcome: 'covered' })
  })

  it.each(['g1', 'a/b', 'é', ''])('cannot be called %j', async (as) => {
    const site = await Site.with('aaab')
    await site.run(counting)
    const before = await site.everything()
    expect(await site.fail(counting, { ...RANGE, as })).toMatchObject({ code: 'USAGE' })
    expect(await site.everything()).toEqual(before)
  })

  it('is lost, and says so, where its file is gone', async () => {
    const site = await Site.with('aaab')
    await site.run(counting, RANGE)
    site.first.state.remove('j', 'r')
    expect(await site.fail(counting, RANGE)).toMatchObject({ code: 'STATE_MISSING' })
    expect(await site.run(counting, { ...RANGE, init: true })).toMatchObject([{ status: 'done', records: 2 }])
  })
})
