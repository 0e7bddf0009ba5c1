import fc from 'fast-check'
import { decodeCheckpoint } from '../../../src/core/checkpoint.ts'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { jobInputs } from '../../../src/runtime/input/job-inputs.ts'
import { resetJob } from '../../../src/runtime/reset.ts'
import { setCheckpoint } from '../../../src/runtime/set-checkpoint.ts'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import { type Death, mortal } from './mortal.ts'
import { append, fill, run } from './play.ts'
import { CASE, jobOf, type RandomCase, type RandomRecord } from './random-case.ts'
import { stream } from './stream-play.ts'
import type { World } from './worlds.ts'

/** One thing that happened to a job. */
export type Event =
  | { readonly do: 'append'; readonly records: readonly RandomRecord[] }
  | { readonly do: 'run'; readonly until: number; readonly advance: boolean; readonly close: boolean }
  | { readonly do: 'stream'; readonly stretches: readonly (readonly RandomRecord[])[]; readonly death: Death | null }
  | { readonly do: 'die'; readonly death: Death }
  | { readonly do: 'skip'; readonly offset: number }
  | { readonly do: 'move'; readonly offset: number }
  | { readonly do: 'reset'; readonly state: boolean }

/** A job and all that happened to it. */
export interface Past {
  readonly randomCase: RandomCase
  readonly events: readonly Event[]
}

const DEATH: fc.Arbitrary<Death> = fc.record({
  step: fc.constantFrom(...COMMIT_STEPS),
  nth: fc.integer({ min: 1, max: 3 }),
})

const EVENT: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: CASE.map(({ records }) => ({ do: 'append' as const, records: records.slice(0, 12) })) },
  {
    weight: 6,
    arbitrary: fc
      .record({ until: fc.nat(150), advance: fc.boolean(), close: fc.nat(5) })
      .map(({ close, ...rest }) => ({ do: 'run' as const, ...rest, close: close === 0 })),
  },
  {
    weight: 3,
    arbitrary: DEATH.map((death) => ({ do: 'die' as const, death })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(CASE, fc.option(DEATH)).map(([{ records }, death]) => {
      const stretches = [records.slice(0, 4), records.slice(4, 6), records.slice(6, 9)]
      return { do: 'stream' as const, stretches, death }
    }),
  },
  { weight: 1, arbitrary: fc.nat(10).map((offset) => ({ do: 'skip' as const, offset })) },
  { weight: 1, arbitrary: fc.nat(6).map((offset) => ({ do: 'move' as const, offset })) },
  { weight: 1, arbitrary: fc.nat(3).map((kind) => ({ do: 'reset' as const, state: kind === 0 })) },
)

export const PAST: fc.Arbitrary<Past> = fc.record({
  randomCase: CASE,
  events: fc.array(EVENT, { minLength: 1, maxLength: 7 }),
})

/** Makes it happen in a new world. The clock moves on with each event. */
export async function live(world: World, { randomCase, events }: Past): Promise<void> {
  const env = world.process()
  await fill(env.log, randomCase, 2)
  for (const event of events) {
    await env.clock.sleep(7) // a clock set by hand moves on
    await happen(world, randomCase, event)
  }
  await run(world.process(), randomCase)
}

/** One more thing happens. */
export async function happen(world: World, randomCase: RandomCase, event: Event): Promise<void> {
  const env = world.process()
  const loaded = { job: jobOf(randomCase.spec), path: 'random.ts', hash: 'hash' }
  const read = jobInputs(loaded.job)[0]?.topic.name
  const hasRun = env.state.generations('random').includes('g1')
  switch (event.do) {
    case 'append':
      return await append(env.log, within(randomCase, event.records), 2)
    case 'stream': {
      const process = mortal(env, event.death)
      const stretches = event.stretches.map((records) => within(randomCase, records))
      await stream(process.env, world.process(), randomCase, stretches).catch((error) => {
        if (!process.died()) throw error
      })
      if (process.died()) world.crash()
      return
    }
    case 'run': {
      const { until, advance, close } = event
      await run(env, randomCase, { to: `@${until}`, advanceTime: advance, closeWindows: close })
      return
    }
    case 'skip':
      await run(env, randomCase, { skip: [`${read}/0@${event.offset}`] })
      return
    case 'die': {
      const process = mortal(env, event.death)
      await run(process.env, randomCase).catch((error) => {
        if (!process.died()) throw error
      })
      world.crash()
      return
    }
    case 'move':
      if (hasRun) await setCheckpoint(env, loaded, `${read}/0=${event.offset}`, false).catch(() => {}) // past the log's end
      return
    case 'reset': {
      const { state } = event
      const request = { state, streamTime: !state, outputs: false, dryRun: false }
      if (hasRun) await resetJob(env, loaded, request).catch(() => {}) // it had committed nothing
    }
  }
}

function within({ partitions }: RandomCase, records: readonly RandomRecord[]): readonly RandomRecord[] {
  return records.map((record) => ({ ...record, partition: record.partition % partitions }))
}

/** The state of a generation and where it stands in time and input. */
export function stateOf(env: Environment, { spec }: RandomCase, generation: string): unknown {
  const job = jobOf(spec)
  const file = env.state.open(job.name, generation, { create: false, readonly: true })
  const stored = file?.checkpoint()
  if (file === undefined || stored === undefined) throw new Error(`there is no ${generation}`)
  const { offsets, streamTimes, punctuations } = decodeCheckpoint(stored.bytes)
  const held = new Set(file.stores().map(({ name }) => name))
  const stores = storeIdentities(job.topology)
    .filter(({ name }) => held.has(name))
    .map((identity) => [identity.name, [...file.table(identity).scan({})]])
  file.close()
  return { offsets, streamTimes, punctuations, stores }
}
