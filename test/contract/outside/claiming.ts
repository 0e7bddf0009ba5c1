import { expect, it } from 'vitest'
import { batchOf, readAll, record } from '../log/records.ts'
import { commitAfter, deliver, delivery, plain } from './commits.ts'
import type { OutsideTest } from './outside-contract.ts'

export function claimingContract({ log, name, outside }: OutsideTest): void {
  const at = () => ({ topic: name('out'), partition: 0 })
  const batch = (key: string) => batchOf(at(), [record(key)])
  const keys = async () => (await readAll(log(), at())).map(({ key }) => key)

  it('writes a record without token and checkpoint where there was none', async () => {
    const out = await outside()
    const own = delivery('A', { leaseUntil: 1000 })
    await out.claim(own, 500, false)
    expect(await (await outside()).read()).toEqual({ token: null, checkpoint: null, delivery: own })
    expect(await out.cuts()).toEqual([])
    const first = commitAfter(null, 'A')
    await deliver(out, [batch('a')], first)
    expect(plain(await out.read())).toEqual(plain(first))
  })

  it('writes the record in force again, with a delivery of its own', async () => {
    const first = commitAfter(null, 'A', { endsRun: true })
    await deliver(await outside(), [batch('a')], first)
    const out = await outside()
    const own = delivery('B', { leaseUntil: 900, runId: 'run 2' })
    await out.claim(own, 500, false)
    expect(plain(await out.read())).toEqual(plain({ ...first, delivery: own }))
    expect((await out.cuts()).map(plain)).toEqual([plain(first)])
    expect(await keys()).toEqual(['a'])
  })

  it('keeps the record in force as a cut where the claim ends its run', async () => {
    const first = commitAfter(null, 'A')
    await deliver(await outside(), [batch('a')], first)
    const own = delivery('A', { leaseUntil: 900, endsRun: true })
    const out = await outside()
    await out.claim(own, 500, false)
    expect((await out.cuts()).map(plain)).toEqual([plain({ ...first, delivery: own })])
    expect(await keys()).toEqual(['a'])
  })

  it('refuses while the lease of another instance is live, naming it and until when (E3d)', async () => {
    await (await outside()).claim(delivery('A', { leaseUntil: 1000, runId: 'run 7' }), 500, false)
    const before = await (await outside()).read()
    const out = await outside()
    const failure = await out.claim(delivery('B'), 999, false).catch((error) => error)
    expect(failure).toMatchObject({ code: 'LEASED', hint: expect.stringContaining('--take-over') })
    expect(failure.message).toContain('A')
    expect(failure.message).toContain(new Date(1000).toISOString())
    expect(await out.read()).toEqual(before)
  })

  it('takes over a lease that has ended, and a live one when asked (E3e)', async () => {
    await (await outside()).claim(delivery('A', { leaseUntil: 1000 }), 500, false)
    await (await outside()).claim(delivery('B', { leaseUntil: 2000 }), 1000, false)
    expect((await (await outside()).read())?.delivery.instance).toBe('B')
    await (await outside()).claim(delivery('C', { leaseUntil: 3000 }), 1500, true)
    expect((await (await outside()).read())?.delivery.instance).toBe('C')
  })

  it('does not keep an instance out of its own lease', async () => {
    await (await outside()).claim(delivery('A', { leaseUntil: 1000 }), 500, false)
    const again = delivery('A', { leaseUntil: 2000, runId: 'after the crash' })
    const out = await outside()
    await out.claim(again, 600, false)
    expect((await out.read())?.delivery).toEqual(again)
  })

  it('fences the instance that had it, before its state is decided and at its commit (D4)', async () => {
    const [a, b] = [await outside(), await outside()]
    await a.claim(delivery('A', { leaseUntil: 1000 }), 500, false)
    const first = commitAfter(null, 'A', { leaseUntil: 1000 })
    await deliver(a, [batch('a')], first)
    await a.begin()
    await a.send([batch('zombie')])
    await b.claim(delivery('B', { leaseUntil: 3000 }), 2000, false)
    await expect(a.acknowledged()).rejects.toMatchObject({ code: 'FENCED' })
    await expect(a.commit(commitAfter(first, 'A'))).rejects.toMatchObject({ code: 'FENCED' })
    const second = commitAfter(first, 'B')
    await deliver(b, [batch('b')], second)
    expect(await keys()).toEqual(['a', 'b'])
    expect(plain(await b.read())).toEqual(plain(second))
  })

  it('fences at the commit what was claimed after the sends were acknowledged', async () => {
    const [a, b] = [await outside(), await outside()]
    await a.claim(delivery('A', { leaseUntil: 1000 }), 500, false)
    await a.begin()
    await a.send([batch('zombie')])
    await a.acknowledged()
    await b.claim(delivery('B', { leaseUntil: 3000 }), 2000, false)
    await expect(a.commit(commitAfter(null, 'A'))).rejects.toMatchObject({ code: 'FENCED' })
    expect(await keys()).toEqual([])
    expect(await b.read()).toEqual({ token: null, checkpoint: null, delivery: delivery('B', { leaseUntil: 3000 }) })
  })

  it('does not let a fenced handle take the job back, even when the other is done', async () => {
    const [a, b] = [await outside(), await outside()]
    await a.claim(delivery('A'), 0, false)
    await b.claim(delivery('B'), 0, false)
    const first = commitAfter(null, 'B', { endsRun: true })
    await deliver(b, [], first)
    await expect(deliver(a, [batch('zombie')], commitAfter(null, 'A'))).rejects.toMatchObject({ code: 'FENCED' })
    await expect(a.claim(delivery('A'), 5000, false)).rejects.toMatchObject({ code: 'FENCED' })
    await expect(a.claim(delivery('A'), 5000, true)).rejects.toMatchObject({ code: 'FENCED' })
    expect(plain(await b.read())).toEqual(plain(first))
    await (await outside()).claim(delivery('A'), 5000, false)
    expect((await b.read())?.delivery.instance).toBe('A')
  })

  it('lets an outbox be delivered again after the claim of the next start', async () => {
    const first = commitAfter(null, 'A', { leaseUntil: 1000 })
    await deliver(await outside(), [batch('a')], first)
    const decided = commitAfter(first, 'A', { leaseUntil: 2000 })
    for (let start = 0; start < 2; start++) {
      const out = await outside()
      await out.claim(delivery('A', { leaseUntil: 5000 }), 1500, false)
      await deliver(out, [batch('b')], decided)
    }
    expect(await keys()).toEqual(['a', 'b'])
    expect((await (await outside()).read())?.token).toEqual(decided.token)
  })
}
