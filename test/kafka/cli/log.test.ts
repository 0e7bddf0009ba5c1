import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()
const ROWS = 'carrier,delay,at\nUA,2,2013-01-01T10:00:00Z\nAA,,2013-01-01T10:00:00Z\nUA,-4.5,2013-01-01T11:00:00Z\n'
const OPTIONS = ['--key', 'carrier', '--timestamp', 'at']

interface Listed {
  readonly log: string
  readonly topics: readonly { readonly name: string; readonly partitions: number; readonly offsets: number }[]
}

describe.skipIf(kafka.missing)('tidemark log, on Kafka', () => {
  const place = workplace()
  const topic = unique('flights')
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    env = { TIDEMARK_LOG: `kafka://${await kafka.bootstrap()}` }
  }, BROKER_TIMEOUT_MS)

  async function document<T>(...args: readonly string[]): Promise<T> {
    const { status, stdout, stderr } = await place.run(['log', ...args, '--json'], env)
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.any(String), stderr: '' })
    return JSON.parse(stdout) as T
  }

  it('makes a topic, once', async () => {
    const create = ['create', topic, '--partitions', '2', '--set', 'cleanup.policy=compact', '--if-missing']
    expect(await document(...create)).toMatchObject({ created: true, name: topic, partitions: 2 })
    expect(await document(...create)).toMatchObject({ created: false, partitions: 2 })
    const again = await place.run(['log', 'create', topic], env)
    expect(again.status).toBe(64)
    expect(again.stderr).toContain(topic)
  })

  it('imports a file, lists the topic, shows its last records and gives them all back', async () => {
    place.file('flights.csv.gz', gzipSync(ROWS))
    expect(await document('import', topic, 'flights.csv.gz', ...OPTIONS, '--if-empty')).toMatchObject({ rows: 3 })
    expect(await document('import', topic, 'flights.csv.gz', ...OPTIONS, '--if-empty')).toMatchObject({
      imported: false,
    })
    const listed = await document<Listed>('list', topic)
    expect(listed.topics).toMatchObject([{ name: topic, partitions: 2, offsets: 3 }])
    const { records } = await document<{ records: { key: string; timestamp: string }[] }>('tail', topic)
    expect(records.map(({ key }) => key).sort()).toEqual(['AA', 'UA', 'UA'])
    const exported = await place.run(['log', 'export', topic, '--format', 'jsonl'], env)
    expect(exported.status).toBe(0)
    expect(exported.stdout.trim().split('\n')).toHaveLength(3)
    expect(exported.stdout).toContain('-4.5')
  })

  it('shows no setting of the connection: it may be a secret', async () => {
    const log = `${env.TIDEMARK_LOG}?client-id=hush`
    const { status, stdout, stderr } = await place.run(['log', 'list', topic, '--json', '--log', log])
    expect(status).toBe(0)
    expect((JSON.parse(stdout) as Listed).log).toBe(env.TIDEMARK_LOG)
    expect(stdout + stderr).not.toContain('hush')
  })

  it.each([['alter', '--partitions', '3'], ['trim', '--before', '1'], ['compact'], ['delete']])(
    'leaves %s to the brokers',
    async (verb, ...options) => {
      const ended = await place.run(['log', verb, topic, ...options, '--yes'], env)
      expect(ended.status).toBe(64)
      expect(ended.stderr).toContain("Use Kafka's own tool: kafka-")
      expect((await document<Listed>('list', topic)).topics).toMatchObject([{ partitions: 2, offsets: 3 }])
    },
  )
})
