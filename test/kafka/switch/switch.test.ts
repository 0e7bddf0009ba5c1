import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isTidemarkError } from '../../../src/core/errors.ts'
import { type CommitStep, SWITCH_STEPS, type SwitchStep } from '../../../src/ports/steps.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { IN } from '../../unit/runtime/support/site.ts'
import {
  COUNTS,
  FIXED,
  OLD,
  published,
  remake,
  run,
  tableOf,
  turn,
  turnBack,
} from '../../unit/switching/support/versions.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { type KafkaWorld, kafkaWorld } from '../laws/kafka-world.ts'

const kafka = kafkaBroker()

const AT_ONCE = 5
const LEASE_MS = 300_000

interface Death {
  readonly step: CommitStep | SwitchStep
  readonly nth: number
}

describe.skipIf(kafka.missing)('a switch on a broker', () => {
  const worlds: KafkaWorld[] = []
  let bootstrap: string

  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.end()
  })

  /** The old version has run, the fixed one has replayed it, and the old one has run on. */
  async function prepared(): Promise<KafkaWorld> {
    const world = kafkaWorld(bootstrap)
    worlds.push(world)
    await world.process().log.admin().create({ name: IN.name, partitions: 2 })
    await write(world, 'aabbccdd')
    await run(world.process(), OLD)
    await remake(world.process())
    await write(world, 'bc')
    await run(world.process(), OLD)
    return world
  }

  it('is seen as corrections alone, and another machine goes on from it', async () => {
    const world = await prepared()
    const before = await published(world.process().log)
    expect(await turn(world.process())).toMatchObject({ corrections: 3, caughtUp: 2 })
    const said = since(before, await published(world.process().log))
    expect(said).toEqual(['b=3', 'c=3', 'd=null'])
    world.crash()
    world.loseDisk()
    await write(world, 'bcd')
    // Nobody has told this machine that the job was switched.
    await again(() => run(world.process('other'), FIXED))
    expect(await tableOf(world.process().log)).toEqual({ a: 2, b: 4, c: 4 })
    expect(rowsOf(world.process('other'))).toEqual({ a: 2, b: 4, c: 4, d: 0 })
  })

  it('is gone back from, and another machine goes on from that', async () => {
    const world = await prepared()
    await turn(world.process())
    await write(world, 'bcd')
    await run(world.process(), FIXED)
    expect(await turnBack(world.process())).toMatchObject({ corrections: 3, caughtUp: 3 })
    expect(await tableOf(world.process().log)).toEqual({ a: 2, b: 8, d: 3 })
    world.crash()
    await write(world, 'b')
    await run(world.process('other'), OLD)
    expect(await tableOf(world.process().log)).toEqual({ a: 2, b: 10, d: 3 })
    expect(rowsOf(world.process('other'), 'g1', OLD)).toEqual({ a: 2, b: 10, c: 0, d: 3 })
  })

  it('has corrections that another machine cannot finish, and leaves when it is told to', async () => {
    const world = await prepared()
    await expect(turn(mortal(world.process(), { step: 'correct', nth: 1 }).env)).rejects.toThrow()
    world.crash()
    await write(world, 'bcd')
    const other = world.process('other')
    world.clock.advance(LEASE_MS)
    const start = again(() => run(other, FIXED))
    await expect(start).rejects.toMatchObject({
      code: 'STATE_MISSING',
      hint: expect.stringContaining('--no-corrections'),
    })
    await expect(run(other, FIXED)).rejects.toMatchObject({ code: 'STATE_MISSING' })
    const told = { noCorrections: [COUNTS.name] }
    expect(await turn(other, told, { live: FIXED, other: FIXED })).toMatchObject({ corrected: [], corrections: 0 })
    await run(other, FIXED)
    expect(await tableOf(other.log)).toEqual({ a: 2, b: 4, c: 4, d: 2 })
  })

  it('is completed when it is asked again, killed at any step', async () => {
    const steps: (CommitStep | SwitchStep)[] = []
    const recorded = await prepared()
    await turn({ ...recorded.process(), steps: { enter: (step) => void steps.push(step) } })
    const survived = async ({ step, nth }: Death) => {
      const world = await prepared()
      const before = await published(world.process().log)
      const process = mortal(world.process(), { step, nth })
      await expect(turn(process.env)).rejects.toThrow()
      world.crash()
      await completed(world)
      const said = since(before, await published(world.process().log))
      expect({ step, nth, said: said }).toEqual({ step, nth, said: ['b=3', 'c=3', 'd=null'] })
      await write(world, 'bcd')
      await run(world.process(), FIXED)
      const table = await tableOf(world.process().log)
      expect({ step, nth, table }).toEqual({ step, nth, table: { a: 2, b: 4, c: 4 } })
    }
    const deaths = deathsAt(steps)
    expect(deaths.length).toBeGreaterThan(12)
    // They wait for the broker most of the time.
    while (deaths.length > 0) await Promise.all(deaths.splice(0, AT_ONCE).map(survived))
  })
})

/** What was published since, sorted: partitions are read one after the other. */
function since(before: readonly string[], now: readonly string[]): readonly string[] {
  const rest = [...now]
  for (const each of before) rest.splice(rest.indexOf(each), 1)
  return rest.sort()
}

/** Each step of the switch, and those of the commit that decides it and of the first corrections. */
function deathsAt(steps: readonly (CommitStep | SwitchStep)[]): Death[] {
  const decided = steps.indexOf('switch')
  const times = new Map<string, number>()
  return steps.flatMap((step, index) => {
    const nth = (times.get(step) ?? 0) + 1
    times.set(step, nth)
    const isOfSwitch = SWITCH_STEPS.some((known) => known === step)
    return isOfSwitch || (index > decided && nth < 5) ? [{ step, nth }] : []
  })
}

async function completed(world: KafkaWorld): Promise<void> {
  await again(async () => {
    const live = world
      .process()
      .state.jobFile('j')
      .generations()
      .find(({ role }) => role === 'live')
    if (live?.name === 'g2') await turn(world.process(), {}, { live: FIXED, other: FIXED })
    else await turn(world.process())
  })
}

/** As the command line does where it finds that another generation is live. */
async function again(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isTidemarkError(error, 'GENERATION_SWITCHED')) throw error
    await act()
  }
}

async function write(world: KafkaWorld, keys: string): Promise<void> {
  for (const [time, key] of [...keys].entries()) {
    const at = { topic: IN.name, partition: key < 'c' ? 0 : 1 }
    await world
      .process()
      .log.admin()
      .append([batchOf(at, [record(key, '1', time)])])
  }
}

function rowsOf(env: Environment, generation = 'g2', { job } = FIXED): Readonly<Record<string, unknown>> {
  const file = env.state.open('j', generation, { create: false, readonly: true })
  if (file === undefined) throw new Error(`${generation} is here`)
  try {
    return Object.fromEntries([...new StoreReader(file, job, 'counts').entries()].map(({ key, value }) => [key, value]))
  } finally {
    file.close()
  }
}
