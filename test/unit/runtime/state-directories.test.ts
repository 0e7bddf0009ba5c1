import { describe, expect, it } from 'vitest'
import { LEASE_MS } from '../../../src/runtime/session.ts'
import { counting, newMachine, passing, Site } from './support/site.ts'

describe('two state directories on one log', () => {
  it('lets nobody else in while a lease lasts, whose holder may come back', async () => {
    const site = await Site.with('aaaaaa')
    const second = newMachine('second')
    await site.die(passing, 'process', 2)
    const before = await site.everything()
    const error = await site.fail(passing, {}, { on: second })
    expect(error).toMatchObject({ code: 'LEASED', retryable: true })
    expect(error.message).toContain('first-j')
    expect(error.hint).toContain('--take-over')
    expect(await site.everything()).toEqual(before)
    expect(second.state.generations('j')).toEqual([])

    const [resumed] = await site.run(passing)
    expect(resumed).toMatchObject({ status: 'done', attempt: 2, records: 6 })
    // The run's last record ended the lease.
    expect(await site.run(passing, {}, { on: second })).toMatchObject([{ status: 'done', records: 0 }])
  })

  it.each([
    ['the lease has run out', LEASE_MS, {}],
    ['--take-over ends it', 0, { takeOver: true }],
  ])('lets a job without stores go on from the last commit where %s', async (_, ms, request) => {
    const site = await Site.with('abcdef')
    const second = newMachine('second')
    await site.die(passing, 'outside-commit', 2)
    site.clock.advance(ms)
    const before = await site.record()
    const [finished, ...more] = await site.run(passing, request, { on: second })
    expect(more).toEqual([])
    expect(finished).toMatchObject({ attempt: 2, status: 'done', records: 4, runId: before?.delivery.runId })
    expect(await site.out()).toEqual(['a=0', 'b=1', 'c=2', 'd=3', 'e=4', 'f=5'])
    expect(site.checkpoint('g1', second)?.token).toMatchObject({ seq: 3 })

    // The one that was overtaken has a commit that nobody will ever see: it drops that, and goes on from the other's.
    await site.write('gh')
    expect(await site.run(passing)).toMatchObject([{ status: 'done', records: 2 }])
    expect(site.checkpoint()?.token).toMatchObject({ seq: 4, parent: site.checkpoint('g1', second)?.token.id })
    expect((await site.out()).slice(6)).toEqual(['g=0', 'h=1'])
    expect(
      site
        .rows()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['crashed', 'done'])
  })

  it('does not begin where the other has the state', async () => {
    const site = await Site.with('ab')
    const second = newMachine('second')
    await site.run(counting)
    const before = await site.everything()
    const error = await site.fail(counting, {}, { on: second })
    expect(error).toMatchObject({ code: 'STATE_MISSING', exit: 76 })
    expect(error.hint).toContain('--init')
    expect(await site.everything()).toEqual(before)
    expect(second.state.generations('j')).toEqual([])
  })

  it('drops nothing of the one that was overtaken', async () => {
    const site = await Site.with('ab')
    const second = newMachine('second')
    await site.run(counting)
    await site.run(counting, { init: true }, { on: second })
    const before = await site.everything()
    for (const request of [{}, { init: true }, { takeOver: true }]) {
      const error = await site.fail(counting, request)
      expect(error).toMatchObject({ code: 'STATE_MISSING', exit: 76 })
      expect(error.message).toContain('another state directory')
      expect(error.hint).toContain(`move ${site.first.state.pathOf('j', 'g1')} away`)
    }
    expect(await site.everything()).toEqual(before)
  })

  it('stops the one whose job was taken over while it ran, and it says so in its row', async () => {
    const site = await Site.with('a'.repeat(40))
    const second = newMachine('second')
    let taken = false
    const takeOver = async () => {
      if (taken) return
      taken = true
      await site.run(passing, { takeOver: true }, { on: second })
    }
    const change = (env: ReturnType<Site['env']>) => {
      let time = 0
      // The event loop has a turn after every sixteen records, and there another machine comes.
      const clock = { ...env.clock, now: () => env.clock.now(), monotonic: () => (time += 1000), yield: takeOver }
      return { ...env, clock }
    }
    const slow = { ...passing, settings: { ...passing.settings, sliceRecords: 20 } }
    const error = await site.fail(slow, {}, { change })
    expect(error).toMatchObject({ code: 'FENCED', exit: 75 })
    expect(site.rows()).toMatchObject([{ status: 'failed', records: 0, error: { code: 'FENCED' } }])
    expect(await site.out()).toHaveLength(40)
    expect((await site.record())?.delivery.instance).toBe('second-j')
  })
})
