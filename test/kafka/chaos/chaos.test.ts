import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import type { RunRow } from '../../../src/ports/history.ts'
import { Chance } from '../../e2e/crash/chance.ts'
import { SEED } from '../../e2e/crash/kills.ts'
import { newStepFile, until } from '../../e2e/crash/steps-taken.ts'
import { startIn } from '../../e2e/helpers/tidemark.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'
import { BusyProducer } from './busy-producer.ts'
import { adding, addingOutputs, type ChaosNames, chaining, chainingOutput } from './chaos-jobs.ts'
import { FILES, KilledScheduler, killed } from './killed-scheduler.ts'

const kafka = kafkaBroker()
/** How long schedulers and runs are killed. */
const SECONDS = Number(process.env.TIDEMARK_CHAOS_SECONDS ?? 20)
const PARTITIONS = 3
/** A run that has lost its scheduler, or is told to end, is behind its slice and gone long before this. */
const GONE_WITHIN_MS = 60_000
const MOST_BETWEEN_KILLS_MS = 15_000

describe.skipIf(kafka.missing)('on a busy broker, a schedule', () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  /** A topic that somebody writes to, and a folder with the state of jobs that read it. */
  async function site() {
    const field = new KafkaField(bootstrap)
    await field.make(PARTITIONS)
    const names: ChaosNames = { input: field.input, copy: unique('live') }
    const env = {
      TIDEMARK_LOG: `kafka://${bootstrap}`,
      TIDEMARK_STATE_DIR: field.folder,
      CHAOS_INPUT: names.input,
      CHAOS_COPY: names.copy,
    }
    const producer = new BusyProducer(bootstrap, field.input, PARTITIONS, SEED)
    return { field, names, env, producer, schedule: () => new KilledScheduler(field.folder, env) }
  }

  it(`comes to what an undisturbed one comes to, with ${SECONDS} seconds of kills`, {
    timeout: 180_000 + SECONDS * 4000,
  }, async () => {
    const { field, names, env, producer, schedule } = await site()
    await producer.start()
    const kills = await killAtRandom(schedule, new Chance(SEED))
    await producer.stop()
    for (const job of [adding(names), chaining(names)]) {
      expect(await field.run(job)).toMatchObject({ status: 'done' }) // what was under way may be all that it does
      expect(await field.run(job)).toMatchObject({ status: 'done' })
      expect(await field.run(job)).toMatchObject({ status: 'done', records: 0 })
    }

    // Every record went through, once.
    const { copies } = addingOutputs(names)
    expect(await field.records(copies)).toHaveLength(producer.written)
    const once = { input: names.input, copy: unique('once') }
    const whole = new KafkaField(bootstrap)
    await whole.run(adding(once))
    expect(await addedUp(field, names)).toEqual(await addedUp(whole, once))

    // Where the order matters, the same comes of the same cuts, and of others something else.
    const again = { input: names.input, copy: unique('again') }
    const replayed = new KafkaField(bootstrap)
    const cuts = cutsOf(field, names)
    for (const to of cuts) await replayed.run(chaining(again), { to })
    expect(replayed.checkpoint(chaining(again))).toEqual(field.checkpoint(chaining(names)))
    expect(await chained(replayed, again)).toEqual(await chained(field, names))
    const uncut = { input: names.input, copy: unique('uncut') }
    await whole.run(chaining(uncut))
    expect(await chained(whole, uncut)).not.toEqual(await chained(field, names))

    for (const file of FILES) {
      const { status, stdout, stderr } = await startIn(field.folder, ['verify', file, '--json'], env).ended
      expect({ status, stdout, stderr }).toMatchObject({ status: 0, stderr: expect.any(String) })
      expect(JSON.parse(stdout)).toMatchObject({ same: true, notices: [] })
    }
    process.stdout.write(`${producer.written} records, ${cuts.length} cuts, ${JSON.stringify(kills)}\n`)
  })

  it('whose scheduler is killed has its run stop behind a slice', { timeout: 180_000 }, async () => {
    const { field, names, env, producer } = await site()
    await producer.start(5000)
    await producer.stop()
    const steps = newStepFile(join(field.folder, 'steps'))
    const file = new URL('./adding-job.ts', import.meta.url).pathname
    const scheduler = new KilledScheduler(field.folder, { ...env, TIDEMARK_STEP_FILE: steps }, [file])
    expect(await until(steps, scheduler.started, (taken) => taken.length >= 20)).toBe(true)
    const orphans = scheduler.runs()
    expect(orphans).toHaveLength(1)
    killed(scheduler.started.child.pid ?? 0)
    await within(scheduler.allGone, 'the run of a scheduler that was killed')
    expect(readFileSync(steps, 'utf8').trim().split('\n').at(-1)).toContain('delivered')
    const [run] = runsOf(field, adding(names).name)
    expect(run).toMatchObject({ status: 'interrupted', trigger: 'schedule', error: { code: 'TERMINATED' } })
    expect(run?.slices).toBeGreaterThan(0)
    expect(run?.records).toBeLessThan(producer.written)
    expect(await field.records(addingOutputs(names).copies)).toHaveLength(run?.records ?? -1)
  })
})

/** Keeps a scheduler going for a while, and kills it, its runs or both, again and again. Resolves when all are gone. */
async function killAtRandom(schedule: () => KilledScheduler, chance: Chance) {
  const end = performance.now() + SECONDS * 1000
  const kills = { schedulers: 0, runs: 0, orphans: 0 }
  const gone: Promise<unknown>[] = []
  let scheduler = schedule()
  while (performance.now() < end) {
    // Half of them come to something first.
    const enough = chance.from(0, 1) * chance.from(1, 3)
    const latest = performance.now() + MOST_BETWEEN_KILLS_MS
    while (scheduler.done < enough && performance.now() < Math.min(end, latest)) await setTimeout(20)
    await setTimeout(chance.from(100, 3000))
    const whom = chance.from(0, 2)
    const runs = scheduler.runs()
    if (whom !== 0) {
      for (const pid of runs) if ((whom === 2 || chance.next() < 0.7) && killed(pid)) kills.runs++
      if (whom === 1) continue
    }
    if (whom === 0) kills.orphans += runs.length
    killed(scheduler.started.child.pid ?? 0)
    kills.schedulers++
    gone.push(within(scheduler.allGone, 'the runs of a scheduler that was killed'))
    gone.at(-1)?.catch(() => {}) // it is told below
    scheduler = schedule()
  }
  scheduler.started.child.kill('SIGTERM')
  gone.push(within(scheduler.allGone, 'a scheduler that was asked to end'))
  await Promise.all(gone)
  return kills
}

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = new AbortController()
  const limit = setTimeout(GONE_WITHIN_MS, undefined, { signal: late.signal }).then(
    () => {
      throw new Error(`${what} did not end in time`)
    },
    () => promise,
  )
  try {
    return await Promise.race([promise, limit])
  } finally {
    late.abort()
  }
}

/** What the job comes to: its state, the last value of each key of its table, and each key's records in their order. */
async function addedUp(field: KafkaField, names: ChaosNames) {
  const { sums, copies } = addingOutputs(names)
  const table = (await field.records(sums)).map(({ key, value }) => [text(key), text(value)])
  const byKey: Record<string, string[]> = {}
  for (const { key, value, timestamp, partition } of await field.records(copies)) {
    const name = `${text(key)} in ${partition}`
    byKey[name] = [...(byKey[name] ?? []), `${text(value)} @${timestamp}`]
  }
  return { store: field.store(adding(names), 'sums'), table: Object.fromEntries(table), byKey }
}

async function chained(field: KafkaField, names: ChaosNames) {
  const records = await field.records(chainingOutput(names))
  return {
    store: field.store(chaining(names), 'chain'),
    records: records.map(
      ({ key, value, timestamp, partition }) => `${partition} ${text(key)}=${text(value)} @${timestamp}`,
    ),
  }
}

/** The ends of the runs, as a person types them. */
function cutsOf(field: KafkaField, names: ChaosNames): readonly string[] {
  return field
    .events(chaining(names))
    .filter(({ kind }) => kind === 'cut')
    .map(({ detail }) => {
      expect(detail).not.toHaveProperty('partial') // whatever is killed, a plan is finished before the next is made
      const { offsets } = detail as { readonly offsets: Readonly<Record<string, number>> }
      return Object.entries(offsets)
        .map(([at, offset]) => `${at}=${offset}`)
        .join(',')
    })
}

function runsOf({ folder }: KafkaField, job: string): readonly RunRow[] {
  const file = new SqliteStateDirectory(folder).open(job, 'g1', { create: false, readonly: true })
  try {
    return file?.runs() ?? []
  } finally {
    file?.close()
  }
}

function text(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString()
}
