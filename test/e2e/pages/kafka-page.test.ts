import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPTIONS, variableOf } from '../../../src/adapters/kafka/settings/options.ts'
import { readSettings } from '../../../src/adapters/kafka/settings/read-settings.ts'
import { formatDuration } from '../../../src/core/duration.ts'
import { ROOT } from './root.ts'

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
  const text = read('docs/compose.yaml')

  it('starts the version of Kafka that the tests run on, where the page looks for it', () => {
    const [, tested] =
      /<artifactId>kafka_[\d.]+<\/artifactId><version>(\d+\.\d+)\./.exec(read('test/kafka/broker/pom.xml')) ?? []
    expect(text).toContain(`image: apache/kafka:${tested}.`)
    expect(text).toContain('OUTSIDE://localhost:9092')
    expect(read('docs/kafka.md')).toContain('TIDEMARK_LOG=kafka://localhost:9092')
  })

  it('keeps one copy of what transactions need, and is no file of tabs', () => {
    expect(text).toMatch(/TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 1\n/)
    expect(text).not.toContain('\t')
  })
})
