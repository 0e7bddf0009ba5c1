import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import type { Chain } from '../../e2e/crash/chain.ts'
import { crashTests } from '../../e2e/crash/crash-tests.ts'
import { type Outcome, STREAMS, stateOf } from '../../e2e/crash/outcome.ts'
import { JOB } from '../../e2e/crash/till.ts'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { javaReads } from '../support/java-client.ts'
import { KafkaTill } from './kafka-till.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('a run on Kafka that is killed and started again', () => {
  const input = workplace()
  const runs = workplace()
  let till: KafkaTill

  beforeAll(async () => {
    till = new KafkaTill(await kafka.bootstrap(), input, runs)
  }, BROKER_TIMEOUT_MS)

  crashTests({
    prepare: () => till.prepare(),
    chain: () => till.chain(),
    async check(chain, came) {
      javaFinds(till.bootstrap, chain, came)
      await isRestored(chain)
    },
  })
})

/** The Java client, which reads what is committed, finds the same records: none twice, none missing. */
function javaFinds(bootstrap: string, { output }: Chain, { streams }: Outcome): void {
  const text = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex').toString())
  const read = javaReads(bootstrap, STREAMS.map(output))
  for (const name of STREAMS) {
    const found = read
      .filter(({ topic }) => topic === output(name))
      .map(({ partition, timestamp, key, value }) => ({
        partition,
        timestamp,
        key: text(key),
        value: JSON.parse(text(value) ?? 'null'),
      }))
    expect(found).toEqual(streams[name]?.map(({ headers: _, ...record }) => record))
  }
}

/** Without its state directory the job comes to the same state, from its changelogs. */
async function isRestored(chain: Chain): Promise<void> {
  const { stores, checkpoint } = stateOf(chain)
  rmSync(join(chain.folder, '.tidemark'), { recursive: true })
  const { status, stdout, stderr } = await chain.start(['run', JOB, '--json']).ended
  expect({ status, stdout, stderr }).toMatchObject({
    status: 0,
    stdout: expect.any(String),
    stderr: expect.any(String),
  })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', records: 0 })
  expect(stateOf(chain)).toMatchObject({ stores, checkpoint })
}
