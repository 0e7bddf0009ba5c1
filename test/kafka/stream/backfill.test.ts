import { join } from 'node:path'
import { json, string, topic } from 'tidemark'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import { appendRecords } from '../../../src/testing/append-records.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { newStepFile, until } from '../../e2e/crash/steps-taken.ts'
import { startIn, workplace } from '../../e2e/helpers/tidemark.ts'
import { TALLY } from '../../e2e/stream/stream-tests.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { unique } from '../support/logs.ts'
import { testSettings } from '../support/settings.ts'

const kafka = kafkaBroker()
const RECORDS = 60

describe.skipIf(kafka.missing)('a backfill on Kafka', () => {
  const { path } = workplace()
  const suffix = unique('-backfill')
  let env: Readonly<Record<string, string>> = {}
  let log: KafkaLog

  beforeAll(async () => {
    const bootstrap = await kafka.bootstrap()
    env = { TIDEMARK_LOG: `kafka://${bootstrap}`, TALLY_SUFFIX: suffix }
    log = new KafkaLog(testSettings(bootstrap), systemClock)
    const asked = topic(`asked${suffix}`, { key: string(), value: json<number>() })
    await log.admin().create({ name: asked.name, partitions: 2 })
    const records = Array.from({ length: RECORDS }, (_, value) => ({ key: `k${value % 5}`, value, timestamp: value }))
    await appendRecords(log, asked, records, 0)
  }, BROKER_TIMEOUT_MS)
  afterAll(() => log?.close())

  it('that publishes, killed at every step, does so once', { timeout: 240_000 }, async () => {
    const command = ['backfill', TALLY, '--from', '@0', '--to', '@1000', '--every', '100ms', '--rate', '40', '--emit']
    for (const step of COMMIT_STEPS) {
      const steps = newStepFile(join(path, 'steps'))
      const hold = { TIDEMARK_STEP_FILE: steps, TIDEMARK_STEP_HOLD: `${step}@1` }
      const process = startIn(path, command, { ...env, ...hold })
      expect(await until(steps, process, (taken) => taken.at(-1) === 'holding')).toBe(true)
      process.child.kill('SIGKILL')
      await process.ended
    }
    const { status, stderr } = await startIn(path, command, env).ended
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.any(String) })
    const again = await startIn(path, [...command, '--json'], env).ended
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'covered', runs: [] })
    const counted = topic(`counted${suffix}`, { key: string(), value: json<number>() })
    const values = new Map<unknown, unknown[]>()
    for (const { key, value } of await readTopic(log, counted, new Map())) {
      values.set(key, [...(values.get(key) ?? []), value])
    }
    expect([...values.values()].flat()).toHaveLength(RECORDS)
    for (const each of values.values()) expect(each).toEqual(each.map((_, index) => index + 1))
  })
})
