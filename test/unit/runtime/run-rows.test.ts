import { job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { coverageOf } from '../../../src/planner/coverage.ts'
import type { RunRow, RunStatus } from '../../../src/ports/history.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { processedOf } from '../../../src/runtime/history/processed-of.ts'
import { verifyJob } from '../../../src/runtime/history/verify-job.ts'
import { counting, IN, OUT, passing, Site } from './support/site.ts'

describe("a run's row", () => {
  it('is in the history before anything is read, and changes with committed slices alone', async () => {
    const site = await Site.with('abc')
    const seen: [RunStatus, number, number][] = []
    const look = (told: RunRow) => {
      const [{ status, slices, records } = told] = site.rows()
      seen.push([status, slices, records])
      expect(site.rows()[0]).toEqual(told)
    }
    await site.run(counting, { onProgress: look })
    expect(seen).toEqual([
      ['running', 0, 0],
      ['running', 1, 2],
      ['done', 2, 3],
    ])
  })

  it('is called crashed by the next start, whatever that start then does', async () => {
    const site = await Site.with('ab')
    await site.die(counting, 'process', 1)
    expect(site.rows()).toMatchObject([{ status: 'running' }])
    await site.log.admin().delete('in')
    await site.fail(counting)
    expect(site.rows()).toMatchObject([
      { status: 'failed', records: 0, error: { code: 'INPUT_MISSING' } },
      { status: 'crashed', records: 0, finishedAt: null },
    ])
  })

  it('is written for a run that finds nothing, with what the stores have', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    const before = site.checkpoint()
    site.clock.advance(5000)
    const [idle] = await site.run(counting)
    expect(idle).toMatchObject({ status: 'done', slices: 0, records: 0, stores: [{ name: 'counts', entries: 2 }] })
    expect(idle?.partitions).toEqual([{ topic: 'in', partition: 0, from: 2, to: 2, records: 0 }])
    expect(site.rows()).toHaveLength(2)
    expect(site.rows()[0]).toEqual(idle)
    expect(site.checkpoint()).toEqual(before)
  })

  it('says what the stores have also where nothing is found after a failure', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    const { topics } = site.cluster
    const input = site.cluster.topic('in')
    topics.delete('in')
    await site.fail(counting)
    topics.set('in', input)
    expect(await site.run(counting)).toMatchObject([{ status: 'done', stores: [{ name: 'counts', entries: 2 }] }])
  })

  it('is written where no plan could be made, and nothing else is', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    await site.write('c')
    await site.log.admin().trim({ topic: 'in', partition: 0 }, 3)
    const before = site.checkpoint()
    const error = await site.fail(counting)
    expect(error).toMatchObject({ code: 'INPUT_LOST' })
    const [failed] = site.rows()
    expect(failed).toMatchObject({ status: 'failed', slices: 0, plan: '', partitions: [], error: error.toJSON() })
    expect(site.checkpoint()).toEqual(before)
    expect(site.events().map(({ kind }) => kind)).toEqual(['cut'])
  })

  it('is not written where the request itself is wrong', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    for (const request of [{ to: 'soon' }, { to: 'in/7=1' }, { acceptTopics: ['on'] }, { as: 'name' }]) {
      expect(await site.fail(counting, request)).toMatchObject({ code: 'USAGE' })
    }
    expect(site.rows()).toHaveLength(1)
  })

  it('is that of a failure where the job fails, with what was committed', async () => {
    const site = await Site.with('ab')
    await site.run(passing)
    await site.log.admin().alter('out', { settings: { 'max.message.bytes': '60' } })
    await site.write('c')
    const error = await site.fail(passing)
    expect(error).toMatchObject({ code: 'OUTPUT_REFUSED' })
    expect(site.rows()[0]).toMatchObject({ status: 'failed', records: 0, error: { code: 'OUTPUT_REFUSED' } })
  })

  it('is of a job that nobody else runs at the time', async () => {
    const site = await Site.with('ab')
    site.first.locks.acquire('j/g1', 'run 7')
    const error = await site.fail(counting)
    expect(error).toMatchObject({ code: 'LOCKED', exit: 75 })
    expect(error.message).toContain('run 7')
    expect(site.rows()).toEqual([])
  })
})

describe('what a row tells of a run beside its counts', () => {
  it('says how long it was at what, how much it moved, and what came before its last attempt', async () => {
    const site = await Site.with('abcdef')
    await site.die(counting, 'process', 2)
    const slow = (env: Environment): Environment => ({ ...env, steps: { enter: () => site.clock.advance(1) } })
    const [row] = await site.run(counting, {}, { change: slow })
    expect(row).toMatchObject({ attempt: 2, status: 'done', earlier: [{ attempt: 1, status: 'crashed', error: null }] })
    expect(row?.phases?.process).toBeGreaterThan(0)
    expect(row?.phases?.store).toBeGreaterThan(0)
    expect(row?.phases?.deliver).toBeGreaterThan(row?.phases?.process ?? 0)
    expect(row?.bytes?.read).toBeGreaterThan(6 * 8)
    expect(row?.bytes?.written).toBeGreaterThan(6 * 8)
    expect(site.rows()[0]).toEqual(row)
  })

  it('is kept for as many runs as the job says, and what was processed is known all the same', async () => {
    const few = job('j', { keepRuns: 2 }, ({ stream }) => {
      stream(IN).groupByKey().count('counts').toStream().to(OUT)
    })
    const site = await Site.with('ab')
    for (let time = 0; time < 4; time++) {
      await site.run(few)
      await site.write('ab')
    }
    await site.run(few)
    expect(site.rows()).toHaveLength(3)
    const [partition] = site.reading((file) => coverageOf(processedOf(file))) ?? []
    expect(partition?.covered).toEqual([{ from: 0, to: 10 }])
    const verified = await verifyJob(site.env(), { job: few, path: 'jobs/j.ts', hash: 'hash' }, { generation: 'g1' })
    expect(verified.runs.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown', 'same', 'same', 'same'])
  })
})
