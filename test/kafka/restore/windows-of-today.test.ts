import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { job, joinWindows, json, session, sliding, string, topic } from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()
const TODAY = 1_762_560_000_000

describe.skipIf(kafka.missing)('rows that are kept by times of today', () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('come back from their changelogs as they were: sessions, sliding windows, versions, sides of joins', async () => {
    const field = new KafkaField(bootstrap)
    const rows = unique('rows')
    await field.make()
    await field.topic(rows)
    const input = topic(field.input, { key: string(), value: json<number>() })
    const keeping = job(unique('keeping'), {}, ({ stream, table }) => {
      stream(input).groupByKey().windowedBy(session('1m')).count('sessions')
      stream(input).groupByKey().windowedBy(sliding('1m')).count('sliding')
      const versions = table(topic(rows, { key: string(), value: json<number>() }), 'versions', {
        historyRetention: '1h',
      })
      versions
        .toStream()
        .filter((value) => value !== null)
        .leftJoin(stream(input), (one) => one, joinWindows('1m'), 'pairs')
    })
    for (const [at, second] of [0, 20, 200].entries()) {
      await field.write(field.input, `p0/${at} a→${at} @${TODAY + second * 1000}`)
      await field.write(rows, `p0/${at} a→${at} @${TODAY + second * 1000}`)
    }
    await field.run(keeping)
    const stores = ['sessions', 'sliding', 'versions', 'versions-history', 'pairs-left', 'pairs-right']
    const before = stores.map((name) => field.store(keeping, name))
    expect(before[0]).toEqual([`a[${TODAY},${TODAY + 20_000})=2`, `a[${TODAY + 200_000},${TODAY + 200_000})=1`])
    expect(before[3]).toEqual([`a[${TODAY},${TODAY + 20_000})=0`, `a[${TODAY + 20_000},${TODAY + 200_000})=1`])
    for (const each of before) expect(each?.length).toBeGreaterThan(0)

    for (const name of readdirSync(field.folder)) rmSync(join(field.folder, name), { recursive: true })
    expect(await field.run(keeping)).toMatchObject({ records: 0 })
    expect(stores.map((name) => field.store(keeping, name))).toEqual(before)
  }, 60_000)
})
