import fc from 'fast-check'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { jobInputs } from '../../../src/runtime/input/job-inputs.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'
import { type Death, mortal } from './mortal.ts'
import { append, run } from './play.ts'
import { jobOf, type RandomCase, type RandomRecord } from './random-case.ts'
import { StopSwitch } from './stop-switch.ts'
import type { World } from './worlds.ts'

/** What is done with a job next: a stretch of the records comes, and the job sees to it, in one mode or the other. */
export interface Act {
  /** Shares of the stretch: a run finds them all, to a stream they come one after the other. */
  readonly shares: readonly number[]
  readonly mode: 'run' | 'stream' | 'run to a time' | 'nothing'
  /** Where a run to a time ends. */
  readonly time: number
  /** Where the process dies. */
  readonly death: Death | null
}

const DEATH = fc.record({ step: fc.constantFrom(...COMMIT_STEPS), nth: fc.integer({ min: 1, max: 4 }) })

export const ACTS: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.record({
    shares: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    mode: fc.constantFrom('run', 'stream', 'stream', 'run to a time', 'nothing'),
    time: fc.nat(120),
    death: fc.option(DEATH, { freq: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
)

/** Plays the acts in a world whose topics are made and empty; a last run reads what is left. Gives how many died. */
export async function playActs(world: World, randomCase: RandomCase, acts: readonly Act[]): Promise<number> {
  let left = randomCase.records
  let died = 0
  const take = (count: number) => {
    const taken = left.slice(0, count)
    left = left.slice(count)
    return taken
  }
  for (const { shares, mode, time, death } of acts) {
    const stretches = shares.map(take)
    const process = mortal(world.process(), mode === 'nothing' ? null : death)
    const act = {
      run: () => run(process.env, randomCase),
      'run to a time': () => run(process.env, randomCase, { to: `@${time}` }),
      stream: () => stream(process.env, world.process(), randomCase, stretches),
      nothing: async () => {},
    }[mode]
    if (mode !== 'stream') await append(world.process().log, stretches.flat(), 3)
    await act().catch((error: unknown) => {
      if (!process.died()) throw error
      died++
    })
    if (process.died()) world.crash()
  }
  await append(world.process().log, left, 3)
  await run(world.process(), randomCase) // the same request as that of a run that died finishes that one
  await run(world.process(), randomCase)
  return died
}

/** Streams until all stretches have come and one thing more has happened, as somebody would who stops it at any time. */
export async function stream(
  env: Environment,
  outer: Environment,
  { spec }: RandomCase,
  stretches: readonly (readonly RandomRecord[])[],
): Promise<void> {
  const job = jobOf(spec)
  const read = new Set(jobInputs(job).map(({ topic }) => topic.name))
  const stop = new StopSwitch()
  const left = [...stretches]
  let coming: Promise<unknown> = Promise.resolve()
  const next = () => {
    const stretch = left.shift()
    if (stretch === undefined) return stop.press()
    coming = coming.then(() => append(outer.log, stretch, 3))
    if (!stretch.some(({ topic }) => read.has(topic))) next()
  }
  const loaded = { job, path: 'random.ts', hash: 'hash' }
  try {
    await new Runner(env).run(loaded, {
      trigger: 'stream',
      endless: true,
      stop,
      onCaughtUp: next,
      onProgress: ({ status, slices }) => {
        if (status === 'running' && slices > 0) next()
      },
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    await coming
    for (const stretch of left) await append(outer.log, stretch, 3)
  }
}

/** Runs a job from cut to cut of another world's history, each with its recorded clock. */
export async function runOverCuts(world: World, randomCase: RandomCase, history: Environment): Promise<void> {
  const file = history.state.open(jobOf(randomCase.spec).name, 'g1', { create: false, readonly: true })
  const cuts = file?.events().filter(({ kind }) => kind === 'cut') ?? []
  file?.close()
  for (const { at, detail } of cuts) {
    const env = world.process()
    if (!(env.clock instanceof ManualClock)) throw new Error('a law sets the clock by hand')
    env.clock.set(at)
    const bound = Object.entries(detail.offsets as Record<string, number>).map(([key, offset]) => `${key}=${offset}`)
    await run(env, randomCase, { to: bound.join(',') })
  }
}
