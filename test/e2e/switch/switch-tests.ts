import { expect, it } from 'vitest'
import { SWITCH_STEPS } from '../../../src/ports/steps.ts'
import { expectVerified } from '../helpers/expect-verified.ts'
import { killedAt } from './killed-at.ts'
import { FIRST, LAST, LATER, totalsOf } from './shops.ts'
import { stepsOf } from './steps-of.ts'
import { answer, call, type Place, publishedBy } from './switch-world.ts'

/** What differs with the log. */
export interface SwitchWorld {
  /** A place where the wrong version has run over the first sales, g2 has replayed them rightly, and it ran over the later ones. */
  place(): Promise<Place>
  sell(place: Place, sales: readonly string[]): Promise<void>
  /** How long all kills may take. */
  readonly timeoutMs: number
}

const right = (sales: readonly string[]) => totalsOf(sales, (amount) => amount)
const wrong = (sales: readonly string[]) => totalsOf(sales, Math.trunc)
const SOLD = [...FIRST, ...LATER]
const SWITCH = ['switch', 'tally', 'g2', '--json']
const ROLLBACK = ['rollback', 'tally', '--json']

/** The tests of a switch with the real binary. Call it in a describe. */
export function switchTests(world: SwitchWorld): void {
  it('names the wrong keys, corrects them, and goes back', { timeout: world.timeoutMs }, async () => {
    const place = await world.place()
    const before = await publishedBy(place)
    expect(before.table).toEqual(wrong(SOLD))
    const { stores } = await answer<{ stores: { samples: { key: string }[] }[] }>(place, 'diff', 'tally', 'g2')
    const differing = Object.keys(right(SOLD)).filter((shop) => right(SOLD)[shop] !== wrong(SOLD)[shop])
    expect(stores.map(({ samples }) => samples.map(({ key }) => key))).toEqual([differing])
    expect(await publishedBy(place)).toEqual(before)
    expect((await place.start([...SWITCH, '--max-different', '2']).ended).status).toBe(65)
    expect(await publishedBy(place)).toEqual(before)
    await call(place, ...SWITCH, '--max-different', String(differing.length))
    const after = await publishedBy(place)
    expect(after.said.slice(before.said.length)).toEqual(differing.map((shop) => `${shop}=${right(SOLD)[shop]}`))
    await world.sell(place, LAST)
    await call(place, 'run', 'tally')
    expect((await publishedBy(place)).table).toEqual(right([...SOLD, ...LAST]))
    await call(place, ...ROLLBACK)
    expect((await publishedBy(place)).table).toEqual(wrong([...SOLD, ...LAST]))
    await call(place, ...ROLLBACK)
    expect((await publishedBy(place)).table).toEqual(wrong([...SOLD, ...LAST]))
    await verified(place)
  })

  it('is completed when it is asked again, killed at any step', { timeout: world.timeoutMs }, async () => {
    const steps = await stepsOf(await world.place(), SWITCH)
    expect(steps.length).toBeGreaterThan(20)
    for (const hold of steps) {
      const place = await world.place()
      const before = await publishedBy(place)
      await killedAt(place, SWITCH, hold)
      await call(place, ...SWITCH)
      const { said, table } = await publishedBy(place)
      expect({ hold, table }).toEqual({ hold, table: right(SOLD) })
      expect({ hold, more: said.length - before.said.length }).toEqual({ hold, more: 5 })
      if (SWITCH_STEPS.some((step) => hold === `${step}@1`)) await verified(place)
    }
  })

  it('leaves a job that runs, killed at any step', { timeout: world.timeoutMs }, async () => {
    for (const step of SWITCH_STEPS) {
      const hold = `${step}@1`
      const place = await world.place()
      await killedAt(place, SWITCH, hold)
      await world.sell(place, LAST)
      await call(place, 'run', 'tally')
      const isRight = (await answer<{ jobs: { generation: string }[] }>(place, 'status')).jobs[0]?.generation === 'g2'
      const { table } = await publishedBy(place)
      expect({ hold, table }).toEqual({ hold, table: (isRight ? right : wrong)([...SOLD, ...LAST]) })
      await verified(place)
    }
  })
}

/** Both versions have done only what they would do again. */
async function verified(place: Place): Promise<void> {
  for (const generation of ['g1', 'g2']) await expectVerified(place, 'tally', '--generation', generation)
}
