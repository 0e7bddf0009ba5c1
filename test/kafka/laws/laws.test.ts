import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import { LEASE_MS } from '../../../src/runtime/session.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { append, fill, type Result, resultOf, run } from '../../laws/support/play.ts'
import { CASE, jobOf, type RandomCase } from '../../laws/support/random-case.ts'
import { ACTS, playActs, runOverCuts } from '../../laws/support/stream-play.ts'
import { expectVerified } from '../../laws/support/verified.ts'
import { WORLDS, type World } from '../../laws/support/worlds.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { type KafkaWorld, kafkaWorld } from './kafka-world.ts'
import { appendMarked, type Mark } from './marked-log.ts'

const kafka = kafkaBroker()
/** A run takes a second or so on a busy machine: few by default, more where everything is checked. */
const RUNS = process.env.CI ? 40 : 6
const LIMIT_MS = 60_000 + Number(process.env.TIDEMARK_RUNS ?? RUNS) * 20_000
/** What an act says behind which the history begins at a restore. */
const RESTORED = 'restored'
const TIMES = fc.array(fc.nat(120), { maxLength: 3 }).map((times) => [...times].sort((a, b) => a - b))

describe.skipIf(kafka.missing)('on a broker', () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)
  const runs = () => propertyRuns(RUNS)

  /** What came of a case in a new world. */
  async function outcome<W extends World>(
    world: W,
    randomCase: RandomCase,
    act: (world: W) => Promise<unknown>,
    batchRecords = 3,
  ): Promise<Result> {
    try {
      await fill(world.process().log, randomCase, batchRecords)
      await act(world)
      return await resultOf(world.process(), randomCase)
    } finally {
      await world.end()
    }
  }

  /** What a case comes to that is run whole, in memory: the laws hold there. */
  function whole(randomCase: RandomCase): Promise<Result> {
    const unsliced = { ...randomCase, spec: { ...randomCase.spec, sliceRecords: 1000 } }
    return outcome(memory(), unsliced, (world) => run(world.process(), unsliced))
  }

  /** The same for a world on the broker, whose history is verified: a state that came back has none of what went before. */
  function onKafka(
    randomCase: RandomCase,
    act: (world: KafkaWorld) => Promise<unknown>,
    batchRecords?: number,
  ): Promise<Result> {
    const verified = async (world: KafkaWorld) => {
      const isRestored = (await act(world)) === RESTORED
      await expectVerified(world.process(), jobOf(randomCase.spec), isRestored ? 0 : 1)
    }
    return outcome(kafkaWorld(bootstrap), randomCase, verified, batchRecords)
  }

  it('law 1, split: slices, and cuts at times, change nothing', { timeout: LIMIT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(CASE, TIMES, async (randomCase, times) => {
        const cut = await onKafka(randomCase, async (world) => {
          for (const time of times) await run(world.process(), randomCase, { to: `@${time}` })
          await run(world.process(), randomCase)
        })
        expect(cut).toEqual(await whole(randomCase))
      }),
      runs(),
    )
  })

  it('law 2, crash: dying at any step, and a disk that is lost, change nothing', { timeout: LIMIT_MS }, async () => {
    const step = fc.constantFrom(...COMMIT_STEPS)
    const death = fc.record({ step, nth: fc.integer({ min: 1, max: 3 }), disk: fc.boolean() })
    let died = 0
    await fc.assert(
      fc.asyncProperty(CASE, fc.array(death, { minLength: 1, maxLength: 2 }), async (randomCase, deaths) => {
        let lost = false
        const disturbed = await onKafka(randomCase, async (world) => {
          for (const { disk, ...end } of deaths) {
            const process = mortal(world.process(), end)
            await run(process.env, randomCase).catch((error) => {
              if (!process.died()) throw error
            })
            if (process.died()) died++
            world.crash()
            if (disk) {
              world.loseDisk()
              world.clock.advance(LEASE_MS) // the next process is another instance to the log
            }
            lost ||= disk
          }
          await run(world.process(), randomCase)
          return lost ? RESTORED : undefined
        })
        const undisturbed = await whole(randomCase)
        // Counters are in the history of runs, which is not restored.
        const { counts } = lost ? undisturbed : disturbed
        expect({ ...disturbed, counts }).toEqual(undisturbed)
      }),
      runs(),
    )
    expect(died).toBeGreaterThan(0)
  })

  it('law 3, stream: runs and streams in any order come to one run over the same cuts', {
    timeout: LIMIT_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(CASE, ACTS, async (randomCase, acts) => {
        const world = kafkaWorld(bootstrap)
        const same = memory()
        try {
          await fill(world.process().log, { ...randomCase, records: [] }, 1)
          await playActs(world, randomCase, acts)
          await fill(same.process().log, randomCase, 1)
          await runOverCuts(same, randomCase, world.process())
          expect(await resultOf(world.process(), randomCase)).toEqual(await resultOf(same.process(), randomCase))
          if (world.process().state.generations('random').length > 0) {
            await expectVerified(world.process(), jobOf(randomCase.spec))
          }
        } finally {
          await world.end()
        }
      }),
      runs(),
    )
  })

  it('law 4, replay: other batches and other slices give the same', { timeout: LIMIT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(CASE, fc.integer({ min: 1, max: 9 }), async (randomCase, batchRecords) => {
        const act = (world: KafkaWorld) => run(world.process(), randomCase)
        expect(await onKafka(randomCase, act, batchRecords)).toEqual(await whole(randomCase))
      }),
      runs(),
    )
  })

  it('law 5, marker blindness: rolled-back records and markers change nothing', { timeout: LIMIT_MS }, async () => {
    const mark: fc.Arbitrary<Mark> = fc.record({
      after: fc.nat(40),
      kind: fc.constantFrom('aborted', 'aborted by kafkajs', 'marker'),
      topic: fc.constantFrom('in', 'tab'),
      partition: fc.nat(2),
    })
    await fc.assert(
      fc.asyncProperty(
        CASE,
        fc.array(mark, { minLength: 1, maxLength: 4 }),
        TIMES,
        async (randomCase, marks, times) => {
          const { records, partitions } = randomCase
          const within = marks.map((each) => ({ ...each, partition: each.partition % partitions }))
          const marked = await onKafka({ ...randomCase, records: [] }, async (world) => {
            await appendMarked(world, world.process().log, records, within)
            for (const time of times) await run(world.process(), randomCase, { to: `@${time}` })
            await run(world.process(), randomCase)
            expect(await run(world.process(), randomCase)).toMatchObject([{ status: 'done', records: 0 }])
          })
          expect(marked).toEqual(await whole(randomCase))
        },
      ),
      runs(),
    )
  })

  it('law 6, isolation: ranges of their own leave the live generation alone', { timeout: LIMIT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(CASE, CASE, fc.nat(60), async (randomCase, later, time) => {
        const more = later.records.map((each) => ({ ...each, partition: each.partition % randomCase.partitions }))
        const live = async (world: World, between: () => Promise<unknown>) => {
          await run(world.process(), randomCase)
          await between()
          await append(world.process().log, more, 3)
          await run(world.process(), randomCase)
        }
        const beside = await onKafka(randomCase, (world) =>
          live(world, async () => {
            await run(world.process(), randomCase, { from: 'earliest', to: `@${time}`, as: 'range' })
            await run(world.process(), randomCase, { from: '0', as: 'whole' })
          }),
        )
        expect(beside).toEqual(await outcome(memory(), randomCase, (world) => live(world, async () => {})))
      }),
      runs(),
    )
  })
})

function memory(): World {
  const world = WORLDS.memory?.()
  if (world === undefined) throw new Error('there is a world in memory')
  return world
}
