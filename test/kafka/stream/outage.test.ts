import { json, string, topic } from 'tidemark'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { appendRecords } from '../../../src/testing/append-records.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { said } from '../../e2e/helpers/said.ts'
import { startIn, workplace } from '../../e2e/helpers/tidemark.ts'
import { TALLY } from '../../e2e/stream/stream-tests.ts'
import type { Cluster } from '../broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { testSettings } from '../support/settings.ts'

const kafka = kafkaBroker()
const ASKED = topic('asked', { key: string(), value: json<number>() })
const COUNTED = topic('counted', { key: string(), value: json<number>() })

describe.skipIf(kafka.ownMissing)('a stream whose broker is killed and started again', () => {
  const { path } = workplace()
  let cluster: Cluster

  beforeAll(async () => {
    cluster = await kafka.cluster({ nodes: 1 })
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))

  it('goes on with what comes then', { timeout: 120_000 }, async () => {
    const log = new KafkaLog(testSettings(cluster.bootstrap), systemClock)
    await log.admin().create({ name: ASKED.name, partitions: 1 })
    const stream = startIn(path, ['stream', TALLY], { TIDEMARK_LOG: `kafka://${cluster.bootstrap}` })
    await said(stream, 'has caught up')
    const seen: unknown[] = []
    const positions = new Map<number, number>()
    for (const round of [1, 2]) {
      await appendRecords(log, ASKED, [{ key: 'k', value: round }], Date.now())
      const watch = log.watch('read_committed')
      while (seen.length < round) {
        seen.push(...(await readTopic(log, COUNTED, positions)).map(({ value }) => value))
        const offset = positions.get(0) ?? 0
        if (seen.length < round) await watch.arrival([{ topic: COUNTED.name, partition: 0, offset }], 5000)
      }
      await watch.close()
      if (round > 1) continue
      await cluster.nodes[0]?.stop('SIGKILL')
      await cluster.restart()
    }
    expect(seen).toEqual([1, 2])
    stream.child.kill('SIGTERM')
    expect(await stream.ended).toMatchObject({ status: 143 })
    await log.close()
  })
})
