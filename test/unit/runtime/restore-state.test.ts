import { describe, expect, it } from 'vitest'
import type { RunRow } from '../../../src/ports/history.ts'
import { resetJob } from '../../../src/runtime/reset.ts'
import { restoreState } from '../../../src/runtime/restore-state.ts'
import { setCheckpoint } from '../../../src/runtime/set-checkpoint.ts'
import { append, fill, resultOf, run } from '../../laws/support/play.ts'
import { type JobSpec, jobOf, type RandomCase } from '../../laws/support/random-case.ts'
import { WORLDS, type World } from '../../laws/support/worlds.ts'

const spec: JobSpec = { shape: 'windows', size: 5, advance: 5, grace: 0, sliceRecords: 2, cacheEntries: 1000 }

function records(times: readonly number[]): RandomCase['records'] {
  return times.map((timestamp) => {
    return { topic: 'in', partition: 0, key: 'a', value: { n: 1, group: 'x' }, timestamp }
  })
}

const randomCase = { spec, partitions: 1, records: records([5, 25, 7]) }
const loaded = (other: Partial<JobSpec> = {}) => ({ job: jobOf({ ...spec, ...other }), path: 'random.ts', hash: '' })

/** Three runs, of which the last closes windows; the backup is of the first. */
async function played(makeWorld: () => World): Promise<World> {
  const world = makeWorld()
  const env = world.process()
  await fill(env.log, randomCase, 1)
  await run(env, randomCase, { to: '2' })
  const file = env.state.open('random', 'g1', { create: false, readonly: true })
  await file?.backup(world.backup)
  file?.close()
  await run(env, randomCase)
  await append(env.log, records([30, 31, 8]), 1)
  await run(env, randomCase, { closeWindows: true })
  return world
}

describe.each(Object.entries(WORLDS))('a restore on the %s adapter', (_, makeWorld) => {
  it('brings an old backup to the last commit, and publishes nothing', async () => {
    const world = await played(makeWorld)
    const env = world.process()
    const before = await resultOf(env, randomCase)
    env.state.remove('random', 'g1')
    const report = await restoreState(env, loaded(), world.backup)
    expect(report).toMatchObject({ replayed: 2, records: 4 })
    const { stores, streams } = await resultOf(env, randomCase)
    expect({ stores, streams }).toEqual({ stores: before.stores, streams: before.streams })
    const file = env.state.open('random', 'g1', { create: false, readonly: true })
    const input = file?.runs().flatMap(({ partitions }) => partitions.filter(({ topic }) => topic === 'in'))
    expect(input?.map(({ from, to }) => [from, to])).toEqual([
      [3, 6],
      [2, 3],
      [0, 2],
    ])
    file?.close()
    await append(env.log, records([9, 40]), 1)
    const [next] = await run(env, randomCase)
    expect(next).toMatchObject({ records: 2, steps: { windows: { late: 1 } } })
    await world.end()
  })

  it('goes on over a loss of input that a run has accepted', async () => {
    const world = makeWorld()
    const env = world.process()
    await fill(env.log, randomCase, 1)
    await run(env, randomCase)
    const file = env.state.open('random', 'g1', { create: false, readonly: true })
    await file?.backup(world.backup)
    file?.close()
    await append(env.log, records([30, 31, 8, 32, 33]), 1)
    await env.log.admin().trim({ topic: 'in', partition: 0 }, 5)
    await run(env, randomCase, { onDataLoss: 'skip', to: '6' })
    await run(env, randomCase)
    const before = await resultOf(env, randomCase)
    env.state.remove('random', 'g1')
    expect(await restoreState(env, loaded(), world.backup)).toMatchObject({ replayed: 2, records: 3 })
    const { stores, streams } = await resultOf(env, randomCase)
    expect({ stores, streams }).toEqual({ stores: before.stores, streams: before.streams })
    await append(env.log, records([34]), 1)
    expect(await run(env, randomCase)).toMatchObject([{ status: 'done', records: 1 }])
    await world.end()
  })

  it('goes on over a reset of stream time, which no run made', async () => {
    const world = await played(makeWorld)
    const env = world.process()
    await resetJob(env, loaded(), { state: false, streamTime: true, outputs: false, dryRun: false })
    await append(env.log, records([9]), 1)
    await run(env, randomCase)
    const before = await resultOf(env, randomCase)
    env.state.remove('random', 'g1')
    expect(await restoreState(env, loaded(), world.backup)).toMatchObject({ replayed: 4, records: 5 })
    const { stores, streams } = await resultOf(env, randomCase)
    expect({ stores, streams }).toEqual({ stores: before.stores, streams: before.streams })
    await world.end()
  })

  it('gets to what a run had committed whose plan was given up', async () => {
    const world = await played(makeWorld)
    const env = world.process()
    await append(env.log, records([41, 42, 43, 44, 45]), 1)
    const stop: { asked: 'slice' | null; code: 'INTERRUPTED' } = { asked: null, code: 'INTERRUPTED' }
    const onProgress = ({ slices }: RunRow) => {
      if (slices > 0) stop.asked = 'slice'
    }
    await expect(run(env, randomCase, { stop, onProgress })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await setCheckpoint(env, loaded(), 'latest', false)
    const before = await resultOf(env, randomCase)
    env.state.remove('random', 'g1')
    await restoreState(env, loaded(), world.backup)
    expect((await resultOf(env, randomCase)).stores).toEqual(before.stores)
    await world.end()
  })

  it('reads a topic that was made again and accepted from its beginning', async () => {
    const world = await played(makeWorld)
    const env = world.process()
    const file = env.state.open('random', 'g1', { create: false, readonly: true })
    await file?.backup(`${world.backup}-2`)
    file?.close()
    await env.log.admin().delete('in')
    await env.log.admin().create({ name: 'in', partitions: 1 })
    await append(env.log, records([50, 51, 52, 53, 54, 55, 56, 57]), 1)
    await run(env, randomCase, { acceptTopics: ['in'] })
    const before = await resultOf(env, randomCase)
    env.state.remove('random', 'g1')
    expect(await restoreState(env, loaded(), `${world.backup}-2`)).toMatchObject({ replayed: 1, records: 8 })
    expect((await resultOf(env, randomCase)).stores).toEqual(before.stores)
    await world.end()
  })

  it('refuses what does not come to the same, and leaves the last commit that it reached', async () => {
    const world = await played(makeWorld)
    const env = world.process()
    env.state.remove('random', 'g1')
    await env.log.admin().trim({ topic: 'in', partition: 0 }, 3)
    await expect(restoreState(env, loaded(), world.backup)).rejects.toMatchObject({ code: 'INPUT_LOST' })
    await expect(run(env, randomCase)).rejects.toMatchObject({ code: 'STATE_MISSING' })
    await world.end()
  })

  it('refuses to replace a state file that is there', async () => {
    const world = await played(makeWorld)
    await expect(restoreState(world.process(), loaded(), world.backup)).rejects.toMatchObject({ code: 'USAGE' })
    await world.end()
  })
})
