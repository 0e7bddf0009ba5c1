import { describe, expect, it } from 'vitest'
import type { RunRow } from '../../../src/ports/history.ts'
import { resetJob } from '../../../src/runtime/reset.ts'
import type { RunRequest } from '../../../src/runtime/run-request.ts'
import type { StopSignal } from '../../../src/runtime/stop-signal.ts'
import { counting, Site } from './support/site.ts'

/** Asks a run to stop behind its first committed slice. */
function stopAfterFirstSlice(asked: 'slice' | 'now' = 'slice'): Partial<RunRequest> {
  const stop: { asked: StopSignal['asked']; code: StopSignal['code'] } = { asked: null, code: 'INTERRUPTED' }
  const onProgress = ({ slices }: RunRow) => {
    if (slices > 0) stop.asked = asked
  }
  return { stop, onProgress }
}

const ranges = (row: RunRow | undefined) => row?.partitions.map(({ from, to }) => [from, to])

describe('a plan that was not finished', () => {
  it('is finished first, as the same run and the next attempt, and then the own plan is made', async () => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 3)
    const [crashed] = site.rows()
    expect(crashed).toMatchObject({ status: 'running', attempt: 1, records: 4 })
    await site.write('gh')
    const [finished, own, ...more] = await site.run(counting, { to: '8' })
    expect(more).toEqual([])
    expect(finished).toMatchObject({ runId: crashed?.runId, attempt: 2, status: 'done', records: 6, slices: 3 })
    expect(ranges(finished)).toEqual([[0, 6]])
    expect(finished?.plan).toBe(crashed?.plan)
    expect(own).toMatchObject({ attempt: 1, status: 'done', records: 2 })
    expect(own?.runId).not.toBe(crashed?.runId)
    expect(ranges(own)).toEqual([[6, 8]])
    expect(site.rows()).toHaveLength(2)
    expect(site.events().map(({ kind, seq, runId }) => ({ kind, seq, runId }))).toEqual([
      { kind: 'cut', seq: 3, runId: finished?.runId },
      { kind: 'cut', seq: 4, runId: own?.runId },
    ])
  })

  it.each([[{}], [{ to: 'latest' }]])('is all that is done where the bounds are the same text: %j', async (request) => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 2)
    await site.write('gh')
    expect(await site.run(counting, request)).toMatchObject([{ attempt: 2, records: 6 }])
    expect(site.checkpoint()).toMatchObject({ offsets: { 'in/0': 6 }, unfinished: null })
    expect(await site.run(counting, request)).toMatchObject([{ attempt: 1, records: 2 }])
  })

  it('is not all that is done where the request asks for more than the plan did', async () => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 2)
    const runs = await site.run(counting, { closeWindows: true })
    expect(runs).toMatchObject([
      { attempt: 2, records: 6 },
      { records: 0, slices: 1 },
    ])
    const cuts = site.events().map(({ detail }) => detail.closeWindows)
    expect(cuts).toEqual([false, true])
  })

  it('keeps its recorded clock', async () => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 2)
    const now = site.checkpoint()?.unfinished?.now
    site.clock.advance(1000)
    await site.run(counting)
    expect(site.checkpoint()?.made).toMatchObject({ now })
    expect(site.events()).toMatchObject([{ kind: 'cut', at: now }])
  })

  it('counts every attempt, also one that committed nothing', async () => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 2)
    await site.die(counting, 'process', 1)
    expect(site.rows()).toMatchObject([{ status: 'running', attempt: 2, records: 2 }])
    expect(await site.run(counting)).toMatchObject([{ attempt: 3, status: 'done', records: 6 }])
  })

  it('is not there where the first slice was not committed', async () => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'store-commit', 1)
    await site.write('gh')
    const [own, ...more] = await site.run(counting)
    expect(more).toEqual([])
    expect(own).toMatchObject({ attempt: 1, status: 'done', records: 8 })
    expect(site.rows().map(({ status, records }) => ({ status, records }))).toEqual([
      { status: 'done', records: 8 },
      { status: 'crashed', records: 0 },
    ])
  })

  it.each(['slice', 'now'] as const)('is kept by a run that is asked to stop: %s', async (asked) => {
    const site = await Site.with('abcdef')
    expect(await site.fail(counting, stopAfterFirstSlice(asked))).toMatchObject({ code: 'INTERRUPTED', exit: 130 })
    const [interrupted] = site.rows()
    expect(interrupted).toMatchObject({ status: 'interrupted', records: 2, error: { code: 'INTERRUPTED' } })
    expect(site.checkpoint()?.unfinished).toMatchObject({ runId: interrupted?.runId, plan: interrupted?.plan })
    expect(await site.out()).toEqual(['a=1', 'b=1'])
    // The lease ended with the process, which was able to say so.
    expect((await site.record())?.delivery.leaseUntil).toBe(0)
    const [finished] = await site.run(counting)
    expect(finished).toMatchObject({ runId: interrupted?.runId, status: 'done', attempt: 2, records: 6, error: null })
    expect(await site.out()).toEqual(['a=1', 'b=1', 'c=1', 'd=1', 'e=1', 'f=1'])
  })

  it('is kept by a run that fails behind its first slice, whose counters stay as committed', async () => {
    const site = await Site.with('abc')
    await site.write('d', 0)
    site.cluster.skip({ topic: 'in', partition: 0 }, 0)
    await site.die(counting, 'process', 2)
    await site.log.admin().trim({ topic: 'in', partition: 0 }, 3)
    expect(await site.fail(counting)).toMatchObject({ code: 'INPUT_LOST' })
    const [row] = site.rows()
    expect(row).toMatchObject({ records: 2, slices: 1 })
    expect(site.checkpoint()?.unfinished?.runId).toBe(row?.runId)
  })

  it.each([
    ['a reset of stream time', { state: false, streamTime: true, outputs: false, dryRun: false }],
    ['a reset of outputs', { state: false, streamTime: false, outputs: true, dryRun: false }],
    ['a reset of state', { state: true, streamTime: false, outputs: false, dryRun: false }],
  ])('is dropped by %s', async (_, request) => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 2)
    expect(site.checkpoint()?.unfinished).not.toBeNull()
    await resetJob(site.env(), { job: counting, path: 'j.ts', hash: '' }, request)
    expect(site.checkpoint()).toMatchObject({ unfinished: null, made: null })
    expect(await site.run(counting)).toMatchObject([{ attempt: 1, status: 'done', records: request.state ? 6 : 4 }])
  })

  it('is dropped where what it still needs is given up as lost', async () => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 2)
    await site.log.admin().trim({ topic: 'in', partition: 0 }, 3)
    const runs = await site.run(counting, { onDataLoss: 'skip' })
    expect(runs).toMatchObject([{ attempt: 1, status: 'done', records: 3 }])
    expect(site.events()).toMatchObject([
      { kind: 'cut', seq: 1, detail: { from: { 'in/0': 0 }, offsets: { 'in/0': 2 }, partial: true } },
      { kind: 'gap', detail: { topic: 'in', partition: 0, from: 2, to: 3 }, runId: runs[0]?.runId },
      { kind: 'cut' },
    ])
    expect(site.rows().map(({ status }) => status)).toEqual(['done', 'crashed'])
  })
})
