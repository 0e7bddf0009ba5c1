import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { preflight } from '../../src/runtime/preflight.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { clicks, KafkaSite } from './restore/kafka-site.ts'
import { openLog } from './support/logs.ts'

const kafka = kafkaBroker()
const AHEAD = 'message.timestamp.after.max.ms'
const ANY_TIME = '9223372036854775807'

describe.skipIf(kafka.missing)('the topics that a job writes', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  let site: KafkaSite
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)
  afterEach(() => site.world.end())

  const findings = async () =>
    (await preflight(site.env(), { job: clicks(), path: 'clicks.ts', hash: 'hash' })).map(({ level, message }) => {
      return `${level}: ${message}`
    })
  const make = (name: string, settings: Readonly<Record<string, string>>) =>
    site.env().log.admin().create({ name, partitions: 3, settings })

  it('are told before they are made, and made so that nothing is refused and nothing expires', async () => {
    site = await KafkaSite.open(bootstrap, 3)
    expect(await findings()).toEqual(
      [
        'output topic counts-out',
        'output topic late-out',
        'changelog clicks-g1-counts-changelog',
        'changelog clicks-g1-windows-changelog',
      ].map((what) => `note: ${what} does not exist yet: the run creates it`),
    )
    await site.click('a@1', '/1b@2')
    await site.run(clicks())
    expect(await findings()).toEqual([])
    const made = await site.env().log.describe(['clicks-g1-counts-changelog', 'counts-out', 'late-out'])
    const compacted = expect.objectContaining({ 'cleanup.policy': 'compact', [AHEAD]: ANY_TIME })
    const kept = expect.objectContaining({ 'cleanup.policy': 'delete', 'retention.ms': '-1', [AHEAD]: ANY_TIME })
    expect(made).toMatchObject([
      { name: 'clicks-g1-counts-changelog', partitions: 3, settings: compacted },
      { name: 'counts-out', partitions: 3, settings: compacted },
      { name: 'late-out', partitions: 3, settings: kept },
    ])
  })

  it('are used as they are where they are there, and what may be wrong with them is told', async () => {
    site = await KafkaSite.open(bootstrap)
    await make('counts-out', { 'cleanup.policy': 'delete' })
    await make('late-out', { 'retention.ms': '1000', [AHEAD]: '3600000' })
    await make('clicks-g1-counts-changelog', { 'cleanup.policy': 'compact' })
    await make('clicks-g1-windows-changelog', { 'cleanup.policy': 'compact' })
    expect(await findings()).toEqual([
      'warning: output topic counts-out has cleanup.policy=delete, not compact',
      'warning: output topic late-out has retention.ms=1000, not -1',
      `warning: late-out has ${AHEAD}=3600000: records whose time is further ahead of the broker's clock are refused there`,
    ])
    await site.click('a@1')
    expect(await site.run(clicks())).toMatchObject({ status: 'done' })
    expect(await site.out()).toEqual(['counts-out a=1'])
  })

  it('are refused where state would expire in them', async () => {
    site = await KafkaSite.open(bootstrap)
    await make('clicks-g1-windows-changelog', { 'cleanup.policy': 'compact,delete' })
    expect(await findings()).toContain(
      'warning: changelog clicks-g1-windows-changelog has cleanup.policy=compact,delete, not compact',
    )
    await site.click('a@1')
    expect(await site.fail(clicks())).toMatchObject({
      code: 'CONFIG_INVALID',
      exit: 78,
      message: expect.stringContaining('cleanup.policy=compact,delete'),
    })
    expect(await site.out()).toEqual([])
    expect(site.checkpoint()).toBeNull()
  })

  it('are no obstacle, and what is one for the job is told before all else', async () => {
    site = await KafkaSite.open(bootstrap)
    const name = `tidemark.${site.world.prefix}clicks.commits`
    await openLog(bootstrap)
      .admin()
      .create({ name, partitions: 1, settings: { 'max.message.bytes': '16777216' } })
    const [obstacle, ...rest] = await findings()
    expect(obstacle).toMatch(/^warning: topic .*commits has cleanup.policy=delete: commit records have to stay/)
    expect(rest.filter((finding) => finding.startsWith('warning'))).toEqual([])
  })
})
