import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { SWITCH_STEPS } from '../../../src/ports/steps.ts'
import { expectVerified } from '../../e2e/helpers/expect-verified.ts'
import { startIn, workplace } from '../../e2e/helpers/tidemark.ts'
import { killedAt } from '../../e2e/switch/killed-at.ts'
import { asJsonLines, FIRST, LAST, LATER, RIGHT, tally, totalsOf, WRONG } from '../../e2e/switch/shops.ts'
import { stepsOf } from '../../e2e/switch/steps-of.ts'
import { call, type Place, publishedBy } from '../../e2e/switch/switch-world.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { unique } from '../support/logs.ts'
import { testSettings } from '../support/settings.ts'

const kafka = kafkaBroker()
const SOLD = [...FIRST, ...LATER]
const SWITCH = ['switch', 'tally', 'g2', '--json']
/** They wait for the broker most of the time. */
const AT_ONCE = 4

describe.skipIf(kafka.missing)('a switch on a broker, with the real binary', () => {
  const root = workplace()
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  /** A place whose wrong version has run over all sales, and whose right one has replayed them. */
  async function prepared(): Promise<Place> {
    const id = unique('tally')
    const topics = { sales: `sales-${id}`, totals: `totals-${id}` }
    root.file(`${id}/jobs/tally.ts`, tally(WRONG, topics, id))
    root.file(`${id}/jobs/tally-2.ts`, tally(RIGHT, topics, id))
    const folder = join(root.path, id)
    const place: Place = {
      folder,
      topics,
      start: (args, env = {}) => startIn(folder, args, { TIDEMARK_LOG: `kafka://${bootstrap}`, ...env }),
      openLog: () => new KafkaLog(testSettings(bootstrap), systemClock),
    }
    await sell(place, SOLD)
    await call(place, 'run', 'tally')
    await call(place, 'reprocess', 'tally', '--as', 'g2', '--with', 'jobs/tally-2.ts')
    return place
  }

  async function survived(hold: string): Promise<void> {
    const place = await prepared()
    const before = await publishedBy(place)
    await killedAt(place, SWITCH, hold)
    await call(place, ...SWITCH)
    const { said, table } = await publishedBy(place)
    expect({ hold, table }).toEqual({ hold, table: right(SOLD) })
    expect({ hold, more: said.length - before.said.length }).toEqual({ hold, more: 5 })
    await sell(place, LAST)
    await call(place, 'run', 'tally')
    expect({ hold, ...(await publishedBy(place)) }).toMatchObject({ hold, table: right([...SOLD, ...LAST]) })
    await expectVerified(place, 'tally')
  }

  it('is completed when it is asked again, killed at any step', { timeout: 400_000 }, async () => {
    const steps = await stepsOf(await prepared(), SWITCH)
    const decided = steps.slice(steps.indexOf('switch@1'), steps.indexOf('adopt@1'))
    const left = steps.filter((step) => decided.includes(step) || SWITCH_STEPS.some((known) => step === `${known}@1`))
    expect(left.length).toBeGreaterThan(12)
    while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE).map(survived))
  })
})

const right = (sales: readonly string[]) => totalsOf(sales, (amount) => amount)

async function sell(place: Place, sales: readonly string[]): Promise<void> {
  writeFileSync(join(place.folder, 'sales.jsonl'), asJsonLines(sales))
  await call(place, 'log', 'import', place.topics.sales, 'sales.jsonl', '--key', 'shop')
}
