import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPTIONS, variableOf } from '../../../src/adapters/kafka/settings/options.ts'
import { readSettings } from '../../../src/adapters/kafka/settings/read-settings.ts'
import { formatDuration } from '../../../src/core/duration.ts'
import { ROOT } from './root.ts'
import { simpleYaml } from './simple-yaml.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

describe('docs/kafka.md', () => {
  const rows = [...read('docs/kafka.md').matchAll(/^\| `([a-z-]+)` \| `([A-Z_]+)` \| .* \| (.*) \|$/gm)]

  it('has every setting of the connection, with its variable', () => {
    expect(rows.map(([, name, variable]) => [name, variable])).toEqual(OPTIONS.map((name) => [name, variableOf(name)]))
  })

  it('tells the defaults', () => {
    const shown = Object.fromEntries(rows.map(([, name = '', , value = '']) => [name, value.replaceAll('`', '')]))
    const settings = readSettings('kafka://host', {}, () => '')
    expect(shown).toMatchObject({
      'client-id': settings.clientId,
      'connect-timeout': formatDuration(settings.connectTimeoutMs),
      'request-timeout': formatDuration(settings.requestTimeoutMs),
      'retry-for': formatDuration(settings.retryForMs),
    })
  })
})

describe('docs/compose.yaml', () => {
  const page = read('docs/kafka.md')
  const file = simpleYaml(read('docs/compose.yaml')) as unknown as Compose
  const { kafka } = file.services
  const { environment } = kafka
  /** `NAME://host:port`, by name. */
  const listeners = (list: string | undefined) =>
    new Map((list ?? '').split(',').map((each) => each.split('://') as [string, string]))

  it('is what the page starts, and where it then looks', () => {
    expect(page).toContain('docker compose -f docs/compose.yaml up -d --wait\n')
    expect(page).toContain('[compose.yaml](compose.yaml)')
    const outside = listeners(environment.KAFKA_ADVERTISED_LISTENERS).get('OUTSIDE')
    expect(page).toContain(`TIDEMARK_LOG=kafka://${outside}`)
    expect(kafka.ports).toEqual(['127.0.0.1:9092:9092'])
    expect(outside).toBe('localhost:9092')
    expect(kafka.healthcheck.test).toMatch(/--bootstrap-server localhost:9092$/)
  })

  it('starts the version of Kafka that the tests run on', () => {
    const [, tested] =
      /<artifactId>kafka_[\d.]+<\/artifactId><version>(\d+\.\d+)\./.exec(read('test/kafka/broker/pom.xml')) ?? []
    expect(kafka.image).toMatch(new RegExp(`^apache/kafka:${tested}\\.\\d+$`))
  })

  it('has listeners that agree with each other', () => {
    const bound = listeners(environment.KAFKA_LISTENERS)
    const protocols = (environment.KAFKA_LISTENER_SECURITY_PROTOCOL_MAP ?? '').split(',')
    expect(protocols.map((each) => each.split(':')[0]).sort()).toEqual([...bound.keys()].sort())
    for (const [name, address] of listeners(environment.KAFKA_ADVERTISED_LISTENERS)) {
      expect(bound.get(name)).toBe(`:${address.split(':')[1]}`)
    }
    const controller = environment.KAFKA_CONTROLLER_LISTENER_NAMES ?? ''
    const voter = `${environment.KAFKA_NODE_ID}@localhost${bound.get(controller)}`
    expect(environment.KAFKA_CONTROLLER_QUORUM_VOTERS).toBe(voter)
    expect([...bound.keys()]).toContain(environment.KAFKA_INTER_BROKER_LISTENER_NAME)
  })

  it('keeps its data when it is started again, and one copy of what transactions need', () => {
    expect(kafka.volumes).toEqual([`kafka-data:${environment.KAFKA_LOG_DIRS}`])
    expect(Object.keys(file.volumes)).toEqual(['kafka-data'])
    expect(environment).toMatchObject({
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
    })
  })
})

interface Compose {
  readonly services: {
    readonly kafka: {
      readonly image: string
      readonly ports: readonly string[]
      readonly environment: Readonly<Record<string, string>>
      readonly healthcheck: Readonly<Record<string, string>>
      readonly volumes: readonly string[]
    }
  }
  readonly volumes: Readonly<Record<string, unknown>>
}
