import { expect, it } from 'vitest'
import { batchOf, readAll, record } from '../log/records.ts'
import { commitAfter, deliver, plain } from './commits.ts'
import type { OutsideTest } from './outside-contract.ts'

export function committingContract({ log, name, outside }: OutsideTest): void {
  const at = (partition = 0) => ({ topic: name('out'), partition })
  const batch = (key: string, partition = 0) => batchOf(at(partition), [record(key)])
  const keys = async (partition = 0) => (await readAll(log(), at(partition))).map(({ key }) => key)

  it('has no record and no cuts at first', async () => {
    const out = await outside()
    expect(await out.read()).toBeUndefined()
    expect(await out.cuts()).toEqual([])
  })

  it('makes batches and record visible together, at the commit', async () => {
    const out = await outside()
    const first = commitAfter(null, 'A')
    await out.begin()
    await out.send([batch('a'), batch('x', 1)])
    await out.send([batch('b')])
    await out.acknowledged()
    expect(await keys()).toEqual([])
    expect(await (await outside()).read()).toBeUndefined()
    await out.commit(first)
    expect(await keys()).toEqual(['a', 'b'])
    expect(await keys(1)).toEqual(['x'])
    expect(plain(await (await outside()).read())).toEqual(plain(first))
    expect(plain(await out.read())).toEqual(plain(first))
  })

  it('replaces the record with each commit, also without any output', async () => {
    const out = await outside()
    const first = commitAfter(null, 'A')
    const second = commitAfter(first, 'A', { leaseUntil: 500, runId: 'run 2' })
    await deliver(out, [batch('a')], first)
    await deliver(out, [], second)
    const third = commitAfter(second, 'A')
    await deliver(out, [batch('b')], third)
    expect(plain(await out.read())).toEqual(plain(third))
    expect(await keys()).toEqual(['a', 'b'])
  })

  it('does nothing where the token is in force already: it was delivered before', async () => {
    const first = commitAfter(null, 'A')
    await deliver(await outside(), [batch('a')], first)
    await deliver(await outside(), [batch('a')], { ...first, delivery: { ...first.delivery, runId: 'again' } })
    expect(await keys()).toEqual(['a'])
    const second = commitAfter(first, 'A')
    await deliver(await outside(), [batch('b')], second)
    await deliver(await outside(), [batch('b')], second)
    expect(await keys()).toEqual(['a', 'b'])
  })

  it('loses what was sent and not committed, whether dropped or aborted', async () => {
    const crashed = await outside()
    await crashed.begin()
    await crashed.send([batch('lost')])
    await crashed.acknowledged()
    const out = await outside()
    await out.abort()
    await out.begin()
    await out.send([batch('aborted')])
    await out.abort()
    const first = commitAfter(null, 'A')
    await deliver(out, [batch('kept')], first)
    await out.abort()
    expect(await keys()).toEqual(['kept'])
    await out.close()
    await out.close()
    expect(plain(await (await outside()).read())).toEqual(plain(first))
  })

  it('forgets with begin what an open transaction has sent', async () => {
    const out = await outside()
    await out.begin()
    await out.send([batch('old')])
    await deliver(out, [batch('new')], commitAfter(null, 'A'))
    expect(await keys()).toEqual(['new'])
  })

  it('leaves the bytes that were sent alone, and does not keep what is acknowledged', async () => {
    const out = await outside()
    const sent = batch('a')
    const before = Buffer.from(sent.bytes)
    await out.begin()
    await out.send([sent])
    await out.acknowledged()
    expect(Buffer.from(sent.bytes).equals(before)).toBe(true)
    sent.bytes.fill(0)
    await out.commit(commitAfter(null, 'A'))
    expect(await keys()).toEqual(['a'])
  })

  it('is fenced where the record in force is not the parent, and leaves all as it was', async () => {
    const first = commitAfter(null, 'A')
    const second = commitAfter(first, 'A')
    await deliver(await outside(), [batch('a')], first)
    await deliver(await outside(), [batch('b')], second)
    const strays = [
      commitAfter(null, 'A'),
      commitAfter(first, 'A'),
      first,
      { ...second, token: { ...second.token, id: 'unknown' } },
    ]
    for (const stray of strays) {
      const fenced = deliver(await outside(), [batch('stray')], stray)
      await expect(fenced).rejects.toMatchObject({ code: 'FENCED' })
    }
    expect(await keys()).toEqual(['a', 'b'])
    expect(plain(await (await outside()).read())).toEqual(plain(second))
  })

  it('is fenced by the absence of the parent', async () => {
    const orphan = commitAfter(commitAfter(null, 'A'), 'A')
    await expect(deliver(await outside(), [batch('a')], orphan)).rejects.toMatchObject({ code: 'FENCED' })
    expect(await keys()).toEqual([])
    expect(await (await outside()).read()).toBeUndefined()
  })

  it('lets one of two children of a token through', async () => {
    const first = commitAfter(null, 'A')
    const [left, right] = [await outside(), await outside()]
    await deliver(left, [batch('a')], first)
    for (const out of [left, right]) {
      await out.begin()
      await out.send([batch(out === left ? 'left' : 'right')])
      await out.acknowledged()
    }
    await right.commit(commitAfter(first, 'A'))
    await expect(left.commit(commitAfter(first, 'A'))).rejects.toMatchObject({ code: 'FENCED' })
    expect(await keys()).toEqual(['a', 'right'])
  })

  it('refuses what can never be accepted when it is sent, naming topic, key and size', async () => {
    const out = await outside()
    const large = batchOf(at(1), [record('big-key', 'x'.repeat(2000))])
    await out.begin()
    const failure = await out
      .send([batch('a'), large])
      .then(() => out.acknowledged())
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', at: { topic: name('out'), partition: 1 } })
    expect(failure.message).toMatch(/big-key/)
    expect(failure.message).toMatch(/2\d\d\d/)
    await out.abort()
    await out.begin()
    const missing = out.send([batchOf({ topic: name('missing'), partition: 0 }, [record('a')])])
    await expect(missing.then(() => out.acknowledged())).rejects.toMatchObject({ code: 'OUTPUT_REFUSED' })
    await out.abort()
    expect(await keys()).toEqual([])
    await deliver(out, [batch('b')], commitAfter(null, 'A'))
    expect(await keys()).toEqual(['b'])
    expect(await log().describe([name('missing')])).toEqual([])
  })

  it('keeps the record of every end of a run as a cut, oldest first, once', async () => {
    const out = await outside()
    let last = commitAfter(null, 'A')
    await deliver(out, [], last)
    const ends = []
    for (let run = 1; run <= 3; run++) {
      last = commitAfter(last, 'A', { runId: `run ${run}` })
      await deliver(out, [batch('a')], last)
      last = commitAfter(last, 'A', { runId: `run ${run}`, endsRun: true })
      await deliver(out, [batch('b')], last)
      await deliver(out, [batch('b')], last)
      ends.push(last)
    }
    await deliver(out, [], commitAfter(last, 'A'))
    expect((await (await outside()).cuts()).map(plain)).toEqual(ends.map(plain))
  })

  it('need not forget cuts that it may, and keeps all others', async () => {
    const one = commitAfter(null, 'A', { endsRun: true })
    const two = commitAfter(one, 'A', { endsRun: true })
    const three = commitAfter(two, 'A', { endsRun: true })
    const [mine, other] = [await outside(), await outside('g2')]
    for (const end of [one, two, three]) await deliver(mine, [], end)
    await deliver(other, [], one)
    await mine.forgetCuts([1, 2, 7])
    expect((await (await outside()).cuts()).map(plain).at(-1)).toEqual(plain(three))
    expect(plain(await (await outside()).read())).toEqual(plain(three))
    expect((await other.cuts()).map(plain)).toEqual([plain(one)])
  })

  it('keeps jobs and keys apart', async () => {
    const first = commitAfter(null, 'A', { endsRun: true })
    await deliver(await outside('live', 'job'), [], first)
    expect(await (await outside('g2', 'job')).read()).toBeUndefined()
    expect(await (await outside('live', 'other')).read()).toBeUndefined()
    const other = commitAfter(null, 'B')
    await deliver(await outside('g2', 'job'), [], other)
    await deliver(await outside('live', 'other'), [], other)
    expect(plain(await (await outside('live', 'job')).read())).toEqual(plain(first))
    expect(await (await outside('g2', 'job')).cuts()).toEqual([])
  })

  it('goes on after --init: the first token of the new state has the record in force as its parent', async () => {
    const old = commitAfter(commitAfter(null, 'A'), 'A')
    const first = commitAfter(null, 'A')
    await deliver(await outside(), [], first)
    const out = await outside()
    const anew = commitAfter(first, 'A')
    await deliver(out, [batch('a')], anew)
    await expect(deliver(await outside(), [], old)).rejects.toMatchObject({ code: 'FENCED' })
    expect(plain(await out.read())).toEqual(plain(anew))
  })
}
