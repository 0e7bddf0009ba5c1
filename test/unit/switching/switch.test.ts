import { describe, expect, it } from 'vitest'
import { Site } from '../runtime/support/site.ts'
import { compare, FIXED, OLD, published, remake, run, tableOf, turn, turnBack } from './support/versions.ts'

describe('a bug that is found later', () => {
  it('is mended beside the live job, compared, switched to, and gone back from', async () => {
    const site = await Site.with('aabbccdd')
    const env = site.env()
    await run(env, OLD)
    await site.write('ab')
    await run(env, OLD)
    expect(await tableOf(site.log)).toEqual({ a: 3, b: 6, d: 2 })
    const live = site.checkpoint()
    const before = await published(site.log)

    expect(await remake(env)).toMatchObject({ generation: 'g2', of: 'g1', steps: 2, records: 10 })
    const diff = await compare(env)
    expect(diff).toMatchObject({ live: 'g1', generation: 'g2', differing: 3, caughtUp: 0 })
    expect(diff.stores).toMatchObject([{ store: 'counts', same: 1, missing: 0, extra: 0, different: 3 }])
    expect(diff.stores[0]?.samples).toEqual([
      { kind: 'different', key: 'b', live: 6, other: 3 },
      { kind: 'different', key: 'c', live: 0, other: 2 },
      { kind: 'different', key: 'd', live: 2, other: 0 },
    ])
    expect(site.checkpoint()).toEqual(live)
    expect(await published(site.log)).toEqual(before)

    await site.write('c')
    const report = await turn(env)
    expect(report).toMatchObject({
      generation: 'g2',
      from: 'g1',
      caughtUp: 0,
      corrected: ['counts-out'],
      corrections: 3,
    })
    expect((await published(site.log)).slice(before.length)).toEqual(['b=3', 'c=2', 'd=null'])
    expect(site.first.state.jobFile('j').generations()).toMatchObject([
      { name: 'g1', role: 'retired', jobPath: 'old.ts' },
      { name: 'g2', role: 'live', jobPath: 'fixed.ts' },
    ])
    expect((await site.record())?.token).toMatchObject({ id: site.checkpoint('g2')?.token.id })

    await run(env, FIXED)
    await site.write('bd')
    await run(env, FIXED)
    expect(await tableOf(site.log)).toEqual({ a: 3, b: 4, c: 3 })

    const back = await turnBack(env)
    expect(back).toMatchObject({ generation: 'g1', from: 'g2', how: 'rollback', caughtUp: 3 })
    expect(await tableOf(site.log)).toEqual({ a: 3, b: 8, d: 3 })
    await site.write('b')
    await run(env, OLD)
    expect(await tableOf(site.log)).toEqual({ a: 3, b: 10, d: 3 })
  })
})
