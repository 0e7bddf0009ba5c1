import { describe, expect, it } from 'vitest'
import type { StateFile } from '../../../src/ports/state-file.ts'
import { MERGED_AFTER_MS } from '../../../src/runtime/history/merged-cuts.ts'
import { verifyJob } from '../../../src/runtime/history/verify-job.ts'
import { restoreState } from '../../../src/runtime/restore-state.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'
import { fill, resultOf, run } from '../../laws/support/play.ts'
import { type JobSpec, jobOf, type RandomCase } from '../../laws/support/random-case.ts'
import { stream } from '../../laws/support/stream-play.ts'
import { WORLDS, type World } from '../../laws/support/worlds.ts'

const spec: JobSpec = { shape: 'windows', size: 5, advance: 5, grace: 0, sliceRecords: 2, cacheEntries: 1000 }
const loaded = { job: jobOf(spec), path: 'random.ts', hash: 'hash' }
const none: RandomCase = { spec, partitions: 1, records: [] }
const stretch = (...times: readonly number[]): RandomCase['records'] =>
  times.map((timestamp) => ({ topic: 'in', partition: 0, key: 'a', value: { n: 1, group: 'x' }, timestamp }))

function reading<T>(world: World, look: (file: StateFile) => T): T {
  const file = world.process().state.open('random', 'g1', { create: false, readonly: true })
  if (file === undefined) throw new Error('there is state')
  try {
    return look(file)
  } finally {
    file.close()
  }
}

const ends = (world: World) =>
  reading(world, (file) => file.events().map(({ detail }) => (detail.offsets as Record<string, number>)['in/0']))

const cuts = async (world: World) => (await (await world.process().log.outside('random', 'live')).cuts()).length

/** A run with a backup behind it, a stream with four cuts, and another stream after a while. */
async function lived(world: World, laterMs: number): Promise<void> {
  await fill(world.process().log, none, 1)
  await run(world.process(), none)
  const file = world.process().state.open('random', 'g1', { create: false, readonly: true })
  await file?.backup(world.backup)
  file?.close()
  await stream(world.process(), world.process(), none, [stretch(5, 25), stretch(7), stretch(30), stretch(8)])
  const { clock } = world.process()
  if (!(clock instanceof ManualClock)) throw new Error('the clock is set by hand')
  clock.advance(laterMs)
  await stream(world.process(), world.process(), none, [stretch(31)])
}

describe.each(Object.entries(WORLDS))('a stream of more than a week on the %s adapter', (_, makeWorld) => {
  it('keeps the cuts of a week, and of what is older those of an hour', async () => {
    const young = makeWorld()
    await lived(young, MERGED_AFTER_MS - 60_000)
    const all = ends(young)
    expect(all.length).toBeGreaterThan(5)
    const kept = await cuts(young)
    await young.end()
    const old = makeWorld()
    await lived(old, MERGED_AFTER_MS)
    expect(ends(old)).toEqual([0, 5, 6])
    expect(await cuts(old)).toBe(kept - (all.length - 3))
    await old.end()
  })

  it('is verified as far as it can be, and says what it cannot be', async () => {
    const world = makeWorld()
    await lived(world, MERGED_AFTER_MS)
    const { same, runs, notices } = await verifyJob(world.process(), loaded, { generation: 'g1' })
    expect(same).toBe(true)
    expect(runs.at(-1)).toMatchObject({ inputs: [] })
    expect(notices).toEqual([expect.stringContaining('merged into 1 by the hour')])
    await world.end()
  })

  it('is restored from a backup that is older than all of it', async () => {
    const world = makeWorld()
    await lived(world, MERGED_AFTER_MS)
    const env = world.process()
    const before = await resultOf(env, none)
    env.state.remove('random', 'g1')
    expect(await restoreState(env, loaded, world.backup)).toMatchObject({ records: 6 })
    expect((await resultOf(env, none)).stores).toEqual(before.stores)
    await world.end()
  })
})
