import { type Forward, type Job, job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { coverageOf } from '../../../src/planner/coverage.ts'
import type { RunRow } from '../../../src/ports/history.ts'
import type { Outside } from '../../../src/ports/outside.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { processedOf } from '../../../src/runtime/history/processed-of.ts'
import type { RunRequest } from '../../../src/runtime/run-request.ts'
import { LEASE_MS } from '../../../src/runtime/session.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { StopSwitch } from '../../laws/support/stop-switch.ts'
import { counting, IN, NOW, OUT, Site } from './support/site.ts'

/** Streams a job; each time that it has caught up or committed with nothing left, the next of `acts` is done, then it is stopped. */
async function stream(
  site: Site,
  what: Job,
  acts: readonly (() => Promise<unknown>)[] = [],
  skip = 0,
  more: Partial<RunRequest> = {},
) {
  const stop = new StopSwitch()
  const left = [...acts]
  const next = () => {
    const act = left.shift()
    if (act === undefined) stop.press()
    else void act()
  }
  let told = 0
  const error = await site.fail(what, {
    trigger: 'stream',
    endless: true,
    stop,
    ...more,
    onCaughtUp: next,
    onProgress: (row) => {
      if (row.status === 'running' && row.records > 0 && told++ >= skip) next()
    },
  })
  expect(error).toMatchObject({ code: 'INTERRUPTED', exit: 130 })
}

/** An object with some of its methods in place of its own. */
function overlaid<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in methods ? methods : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('a stream', () => {
  it('takes what comes, with a cut each time, in one row', async () => {
    const site = await Site.with('')
    await stream(site, counting, [() => site.write('ab'), () => site.write('a'), () => site.write('b')])
    expect(await site.out()).toEqual(['a=1', 'b=1', 'a=2', 'b=2'])
    expect(site.rows()).toMatchObject([
      { trigger: 'stream', status: 'interrupted', records: 4, slices: 4, partitions: [{ from: 0, to: 4, records: 4 }] },
    ])
    const cuts = site.events().filter(({ kind }) => kind === 'cut')
    expect(cuts.map(({ detail }) => detail.offsets)).toEqual([0, 2, 3, 4].map((offset) => ({ 'in/0': offset })))
    expect(site.checkpoint()).toMatchObject({ offsets: { 'in/0': 4 }, unfinished: null })
  })

  it('is gone on with by a run, and goes on where a run has stopped', async () => {
    const site = await Site.with('a')
    await site.run(counting)
    await stream(site, counting, [() => site.write('a')])
    await site.write('a')
    await site.run(counting)
    await stream(site, counting, [() => site.write('ab')])
    expect(await site.out()).toEqual(['a=1', 'a=2', 'a=3', 'a=4', 'b=1'])
    expect(site.rows().map(({ trigger, status, records }) => [trigger, status, records])).toEqual([
      ['stream', 'interrupted', 2],
      ['test', 'done', 1],
      ['stream', 'interrupted', 1],
      ['test', 'done', 1],
    ])
  })

  it('has a recorded clock for each cut, which is the time of what is timed by it', async () => {
    const site = await Site.with('')
    const later = (ms: number) => async () => {
      site.clock.advance(ms)
      await site.write('a')
    }
    const timed = topic('in', { key: string(), value: json<number>(), timestamp: 'wall-clock' })
    const passing = job('j', {}, ({ stream }) => stream(timed).to(OUT))
    await stream(site, passing, [later(1000), later(500)])
    const times = site.events().map(({ at }) => at)
    expect(times.map((at) => at - (times[0] ?? 0))).toEqual([0, 1000, expect.any(Number)])
    expect(times[2]).toBeGreaterThanOrEqual((times[1] ?? 0) + 500)
    expect(site.checkpoint()?.made?.now).toBe(times[2])
    const out = await readTopic(site.log, OUT, new Map())
    expect(out.map(({ timestamp }) => timestamp)).toEqual(times.slice(1))
  })

  it('fires what is due by the clock, though no record comes, and keeps a cut of it', async () => {
    const site = await Site.with('a')
    const beating = job('j', {}, ({ stream }) => {
      stream(IN)
        .process('beats', ({ schedule }, forward: Forward<string, number>) => {
          schedule('10m', 'wall-clock', () => forward({ key: 'beat', value: 1 }))
          return () => {}
        })
        .to(OUT)
    })
    await site.run(beating)
    const stop = new StopSwitch()
    const onProgress = ({ slices }: RunRow) => {
      if (slices === 1) stop.press()
    }
    await site.fail(beating, { endless: true, stop, onProgress, onCaughtUp: () => site.clock.advance(600_000) })
    expect(await site.out()).toEqual(['beat=1'])
    expect(site.events().at(-1)).toMatchObject({ kind: 'cut', at: NOW + 600_000 })
    expect(site.rows()[0]).toMatchObject({ records: 0, slices: 1 })
  })

  it('counts what it skips by the hour, not over its whole life', async () => {
    const strict = job('j', { onUserError: 'skip', maxSkipped: 1 }, ({ stream: from }) => {
      from(IN)
        .peek(() => {
          throw new Error('bad')
        })
        .to(OUT)
    })
    const bad = (site: Site, ms: number) => async () => {
      site.clock.advance(ms)
      await site.write('a')
    }
    const slow = await Site.with('')
    await stream(slow, strict, [bad(slow, 0), bad(slow, 3_600_000), bad(slow, 3_600_000)])
    expect(slow.rows()).toMatchObject([{ status: 'interrupted', records: 3 }])
    const fast = await Site.with('')
    const acts = [bad(fast, 0), bad(fast, 1000), bad(fast, 1000)]
    const onCaughtUp = () => void acts.shift()?.()
    const onProgress = ({ status, slices }: RunRow) => {
      if (status === 'running' && slices > 0) onCaughtUp()
    }
    expect(await fast.fail(strict, { trigger: 'stream', endless: true, onCaughtUp, onProgress })).toMatchObject({
      code: 'SKIP_LIMIT_EXCEEDED',
      message: expect.stringContaining('in this hour'),
    })
  })

  it('says that what was lost under way was not processed', async () => {
    const site = await Site.with('a')
    const admin = site.log.admin()
    const at = { topic: IN.name, partition: 0 }
    const lose = async () => {
      const lost = [
        admin.append([
          batchOf(
            at,
            ['b', 'c', 'd'].map((key) => record(key, '1', 1)),
          ),
        ]),
        admin.trim(at, 3),
      ]
      await Promise.all(lost)
    }
    await stream(site, counting, [lose], 0, { onDataLoss: 'skip' })
    expect(site.rows()).toMatchObject([{ partitions: [{ from: 0, to: 4, records: 2 }] }])
    expect(site.events().filter(({ kind }) => kind === 'gap')).toMatchObject([{ detail: { from: 1, to: 3 } }])
    const processed = site.reading((file) => processedOf(file)) ?? []
    expect(coverageOf(processed)).toMatchObject([
      {
        covered: [
          { from: 0, to: 1 },
          { from: 3, to: 4 },
        ],
        gaps: [{ from: 1, to: 3 }],
      },
    ])
  })

  it('finishes the plan that a run has left, as that run, and then begins its own', async () => {
    const site = await Site.with('aaaaa')
    await site.die(counting, 'process', 2)
    await site.write('a')
    await stream(site, counting, [], Number.POSITIVE_INFINITY)
    expect(await site.out()).toEqual(['a=1', 'a=2', 'a=3', 'a=4', 'a=5', 'a=6'])
    const rows = site.rows().map(({ status, attempt, records }) => [status, attempt, records])
    expect(rows).toEqual([
      ['interrupted', 1, 1],
      ['done', 2, 5],
    ])
  })

  it('leaves an unfinished cut to the next run, which then goes on to now', async () => {
    const site = await Site.with('aaaaa')
    const stop = new StopSwitch()
    const onProgress = ({ records }: RunRow) => {
      if (records === 2) stop.press()
    }
    await site.fail(counting, { endless: true, stop, onProgress })
    expect(site.checkpoint()?.unfinished).toMatchObject({ endless: true })
    await site.write('a')
    const runs = await site.run(counting)
    expect(runs.map(({ status, records }) => [status, records])).toEqual([
      ['done', 5],
      ['done', 1],
    ])
    expect(await site.out()).toEqual(['a=1', 'a=2', 'a=3', 'a=4', 'a=5', 'a=6'])
  })

  it('renews its lease with each cut, and ends it when it is stopped', async () => {
    const site = await Site.with('a')
    const leases: number[] = []
    const look = async () => {
      leases.push((await site.record())?.delivery.leaseUntil ?? -1)
      await site.write('a')
    }
    await stream(site, counting, [look, look])
    expect(leases).toEqual([expect.any(Number), expect.any(Number)])
    for (const lease of leases) expect(lease).toBeGreaterThanOrEqual(NOW + LEASE_MS)
    expect((await site.record())?.delivery).toMatchObject({ leaseUntil: 0 })
  })

  it('renews its lease while it waits', async () => {
    const site = await Site.with('')
    await site.run(counting)
    const stop = new StopSwitch()
    const leases: number[] = []
    const claimed =
      (claim: Outside['claim']) =>
      async (...args: Parameters<Outside['claim']>) => {
        leases.push(args[0].leaseUntil)
        if (leases.length === 3) stop.press()
        site.clock.advance(25)
        return await claim(...args)
      }
    const change = (env: Environment): Environment => {
      const outside = async (job: string, key: string) => {
        const made = await env.log.outside(job, key)
        return overlaid(made, { claim: claimed(made.claim.bind(made)) })
      }
      return { ...env, leaseMs: 30, log: overlaid(env.log, { outside }) }
    }
    await site.fail(counting, { endless: true, stop }, { change })
    expect(leases).toEqual([NOW + 30, NOW + 55, NOW + 80, 0])
  })

  it('reads a partition that is added from its beginning', async () => {
    const site = await Site.with('a')
    const grow = async () => {
      await site.log.admin().alter(IN.name, { partitions: 2 })
      await site.write('b', 1)
      await site.write('a')
    }
    await stream(site, counting, [grow, async () => {}])
    expect((await site.out()).toSorted()).toEqual(['a=1', 'a=2', 'b=1'])
    expect(site.checkpoint()?.offsets).toEqual({ 'in/0': 2, 'in/1': 1 })
  })

  it('leaves out a record on which user code fails, and forgets it with its cut', async () => {
    const site = await Site.with('')
    const picky = job('j', { onUserError: 'skip' }, ({ stream }) => {
      stream(IN)
        .mapValues((value) => {
          if (value === 1) throw new Error('not 1')
          return value
        })
        .to(OUT)
    })
    await stream(site, picky, [() => site.write('abc'), async () => {}, () => site.write('de')], 0)
    expect(await site.out()).toEqual(['a=0', 'c=2', 'd=0'])
    expect(site.checkpoint()?.made?.leftOut.map(({ offset }) => offset)).toEqual([4])
    expect(site.rows()[0]?.steps).toMatchObject({ 'in:stream': { skipped: { 'user-error': 2 } } })
  })

  it('fails like a run, and has no bounds', async () => {
    const site = await Site.with('aaaa')
    await site.run(counting)
    await site.log.admin().trim({ topic: IN.name, partition: 0 }, 2)
    const lost = async () => {
      await site.write('aa')
      await site.log.admin().trim({ topic: IN.name, partition: 0 }, 5)
      await site.write('a')
    }
    const error = await site.fail(counting, { endless: true, onCaughtUp: () => void lost() })
    expect(error).toMatchObject({ code: 'INPUT_LOST', exit: 66 })
    expect(site.rows()[0]).toMatchObject({ status: 'failed', error: { code: 'INPUT_LOST' } })
    expect(await site.fail(counting, { endless: true, to: 'latest' })).toMatchObject({ code: 'USAGE' })
  })
})
