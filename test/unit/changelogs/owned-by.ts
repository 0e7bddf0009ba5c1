import { type Job, job, json, string, topic } from 'tidemark'
import { expect, it } from 'vitest'
import { isTidemarkError, type TidemarkError } from '../../../src/core/errors.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import type { LoadedJob } from '../../../src/runtime/loaded-job.ts'
import type { RunRequest } from '../../../src/runtime/run-request.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { dropGeneration } from '../../../src/runtime/switching/drop-generation.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { remake, turn } from '../switching/support/versions.ts'

/** A log that keeps changelogs, and machines that run jobs on it. */
export interface Place {
  process(machine?: string): Environment
  /** All processes are gone. */
  crash(): void
  /** The disk of a machine is gone. */
  loseDisk(machine?: string): void
  readonly clock: { advance(ms: number): void }
}

const IN = topic('in', { key: string(), value: json<number>() })
const LEASE_MS = 300_000

/** Counts by key in a store of this name. */
function counting(name: string, store: string, options: { readonly changelog?: boolean } = {}): LoadedJob {
  const counted: Job = job(name, options, ({ stream }) => void stream(IN).groupByKey().count(store))
  return { job: counted, path: `${name}.ts`, hash: 'hash' }
}

/** What is asked of the owner of a changelog, whatever log it is on. */
export function changelogsHaveOneOwner(open: () => Promise<Place>): void {
  it('a topic that another job has is refused, and that job restores what it wrote', async () => {
    const place = await filled(await open(), 'aab')
    const [mine, other] = [counting('a', 'g1-s'), counting('a-g1', 's')]
    await run(place, mine)
    const before = await changelog(place, 'a-g1-g1-s')
    expect(await refusal(place, other)).toMatchObject({
      code: 'CHANGELOG_TAKEN',
      exit: 78,
      message: expect.stringContaining('a-g1-g1-s-changelog, which is a changelog of job a'),
      hint: expect.stringContaining('call the job, the generation or the store something else'),
      at: { job: 'a-g1', step: 's', topic: 'a-g1-g1-s-changelog' },
    })
    expect(await changelog(place, 'a-g1-g1-s')).toEqual(before)
    place.loseDisk()
    await write(place, 'b')
    await run(place, mine)
    expect(rows(place, mine)).toEqual({ a: 2, b: 2 })
  })

  it('a topic in which nobody has written yet is of the job whose commit tells of it', async () => {
    const place = await filled(await open(), '')
    const [mine, other] = [counting('a', 'g1-s'), counting('a-g1', 's')]
    await write(place, 'a')
    await diesBeforeItsFirstCommit(place, other)
    await transactionEnds(place, other)
    await run(place, mine) // nothing committed is in it, and nobody runs who could have made it
    expect((await refusal(place, other)).code).toBe('CHANGELOG_TAKEN')
    place.loseDisk()
    await write(place, 'ab')
    await run(place, mine)
    expect(rows(place, mine)).toEqual({ a: 2, b: 1 })
  })

  it('a topic that a job may just have made is waited for', async () => {
    const place = await filled(await open(), 'a')
    await diesBeforeItsFirstCommit(place, counting('a-g1', 's'))
    const error = await refusal(place, counting('a', 'g1-s'))
    expect(error).toMatchObject({ code: 'LEASED', message: expect.stringContaining('job a-g1 is running') })
  })

  it('a topic with records of nobody knows whom is neither read nor written', async () => {
    const place = await filled(await open(), 'ab')
    const { log } = place.process()
    const name = 'a-g1-s-changelog'
    await log.admin().create({ name, partitions: 1, settings: { 'cleanup.policy': 'compact' } })
    await log.admin().append([batchOf({ topic: name, partition: 0 }, [record('x', '7')])])
    const before = await changelog(place, 'a-g1-s')
    expect(await refusal(place, counting('a', 's'))).toMatchObject({
      code: 'CHANGELOG_TAKEN',
      message: expect.stringContaining('records that nothing committed tells of'),
    })
    expect(await changelog(place, 'a-g1-s')).toEqual(before)
    await log.admin().delete(name)
    await run(place, counting('a', 's'))
    expect(rows(place, counting('a', 's'))).toEqual({ a: 1, b: 1 })
  })

  it('a first run that died goes on, on an empty disk too', async () => {
    const place = await filled(await open(), 'ab')
    const mine = counting('a-b', 'c-d')
    await diesBeforeItsFirstCommit(place, mine)
    place.loseDisk()
    place.clock.advance(LEASE_MS)
    await run(place, mine)
    place.loseDisk()
    await write(place, 'b')
    await run(place, mine)
    expect(rows(place, mine)).toEqual({ a: 1, b: 2 })
  })

  it('a topic stays the store’s own where it starts empty, keeps none for a while, or is taken out and put back', async () => {
    const place = await filled(await open(), 'ab')
    const mine = counting('a', 's')
    await run(place, mine)
    place.loseDisk()
    await run(place, mine, { init: true })
    await write(place, 'a')
    await run(place, counting('a', 's', { changelog: false }))
    await write(place, 'a')
    await run(place, mine)
    await write(place, 'a')
    await run(place, counting('a', 't'))
    await write(place, 'b')
    await run(place, mine)
    place.loseDisk()
    await write(place, 'b')
    await run(place, mine)
    expect(rows(place, mine)).toEqual({ a: 3, b: 3 })
  })

  it('a switch to a generation whose changelog the live one has is refused', async () => {
    const place = await filled(await open(), 'ab')
    const [live, other] = [counting('j', 'v-s'), { ...counting('j', 's'), path: 'other.ts', hash: 'other' }]
    await run(place, live)
    await remake(place.process(), other, 'g1-v')
    const turned = turn(place.process(), { generation: 'g1-v' }, { live, other })
    await expect(turned).rejects.toMatchObject({
      code: 'CHANGELOG_TAKEN',
      message: expect.stringContaining('another generation of this job'),
    })
    place.loseDisk()
    await write(place, 'b')
    await run(place, live)
    expect(rows(place, live)).toEqual({ a: 1, b: 2 })
  })

  it('a generation that is removed leaves what is another job’s', async () => {
    const place = await filled(await open(), 'ab')
    const [mine, other] = [counting('a', 's'), counting('a-b', 's')]
    await run(place, mine)
    await run(place, other)
    await remake(place.process(), { ...mine, path: 'other.ts', hash: 'other' }, 'b-g1')
    expect(await dropGeneration(place.process(), 'a', 'b-g1', false)).toMatchObject({ done: true })
    place.loseDisk()
    await write(place, 'b')
    await run(place, other)
    expect(rows(place, other)).toEqual({ a: 1, b: 2 })
  })

  it('a generation that is made anew is switched to, although a switch had written its changelog', async () => {
    const place = await filled(await open(), 'ab')
    const [live, other] = [counting('j', 's'), { ...counting('j', 's'), path: 'other.ts', hash: 'other' }]
    await run(place, live)
    await remake(place.process(), other)
    const { env } = mortal(place.process(), { step: 'switch', nth: 1 })
    await expect(turn(env, {}, { live, other })).rejects.toThrow('the process is dead')
    place.crash()
    const { reprocess } = await import('../../../src/runtime/switching/reprocess.ts')
    await reprocess(place.process(), other, { as: 'g2', cuts: 'kept', replace: true })
    expect(await turn(place.process(), {}, { live, other })).toMatchObject({ generation: 'g2' })
    place.crash()
    place.loseDisk()
    place.clock.advance(LEASE_MS)
    await write(place, 'b')
    const switched = run(place, other)
    await switched.catch(() => run(place, other))
    expect(rows(place, other, 'g2')).toEqual({ a: 1, b: 2 })
  })
}

async function filled(place: Place, keys: string): Promise<Place> {
  await place.process().log.admin().create({ name: IN.name, partitions: 1 })
  await write(place, keys)
  return place
}

async function write(place: Place, keys: string): Promise<void> {
  if (keys === '') return
  const records = [...keys].map((key) => record(key, '1'))
  await place
    .process()
    .log.admin()
    .append([batchOf({ topic: IN.name, partition: 0 }, records)])
}

async function run(place: Place, loaded: LoadedJob, request: Partial<RunRequest> = {}): Promise<void> {
  await new Runner(place.process()).run(loaded, { trigger: 'test', ...request })
}

async function refusal(place: Place, loaded: LoadedJob): Promise<TidemarkError> {
  try {
    await run(place, loaded)
  } catch (error) {
    if (isTidemarkError(error)) return error
    throw error
  }
  throw new Error('the run should be refused')
}

async function diesBeforeItsFirstCommit(place: Place, loaded: LoadedJob): Promise<void> {
  const { env } = mortal(place.process(), { step: 'store-begin', nth: 1 })
  await expect(new Runner(env).run(loaded, { trigger: 'test' })).rejects.toThrow('the process is dead')
  place.crash()
}

/** What brokers do some minutes after the death. */
async function transactionEnds(place: Place, { job }: LoadedJob): Promise<void> {
  const outside = await place.process().log.outside(job.name, 'live')
  await outside.claim({ instance: 'another', runId: 'none', leaseUntil: 0, endsRun: false }, 0, true)
  await outside.close()
}

function rows(place: Place, loaded: LoadedJob, generation = 'g1'): Record<string, unknown> {
  const { job } = loaded
  const file = place.process().state.open(job.name, generation, { create: false, readonly: true })
  if (file === undefined) throw new Error('there is no state')
  const [store] = file.stores()
  const entries = [...new StoreReader(file, job, store?.name ?? '').entries()]
  file.close()
  return Object.fromEntries(entries.map(({ key, value }) => [String(key), value]))
}

/** All that a writer would change of a changelog. */
async function changelog(place: Place, name: string) {
  const { log } = place.process()
  const topics = await log.describe([`${name}-changelog`])
  const bounds = await log.bounds([{ topic: `${name}-changelog`, partition: 0 }], 'read_uncommitted')
  return { topics, bounds }
}
