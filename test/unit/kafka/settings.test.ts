import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/adapters/kafka/settings/read-settings.ts'
import { isTidemarkError } from '../../../src/core/errors.ts'

const FILES: Readonly<Record<string, string>> = {
  'kafka.json':
    '{"sasl": "scram-sha-512", "username": "ann", "password": "s3cret", "request-timeout": "5s", "tls": true}',
  'bad.json': '{"password": s3cret}',
  'list.json': '["s3cret"]',
  'deep.json': '{"password": {"is": "s3cret"}}',
  'other.json': '{"pasword": "s3cret"}',
  'ca.pem': 'CA',
  'cert.pem': 'CERT',
  'key.pem': 's3cret',
}

function read(url: string, env: Readonly<Record<string, string>> = {}) {
  return readSettings(url, env, (path) => {
    const text = FILES[path]
    if (text === undefined) throw new Error(`no file ${path}`)
    return text
  })
}

describe('the settings of a connection', () => {
  it('an address with one broker is enough', () => {
    expect(read('kafka://broker:9093')).toEqual({
      brokers: [{ host: 'broker', port: 9093 }],
      clientId: 'tidemark',
      tls: undefined,
      sasl: undefined,
      connectTimeoutMs: 10_000,
      requestTimeoutMs: 30_000,
      retryForMs: 120_000,
    })
  })

  it('several brokers, a port by default, addresses of version 6', () => {
    expect(read('kafka://a,b.example:1,[::1]:2,10.0.0.1/').brokers).toEqual([
      { host: 'a', port: 9092 },
      { host: 'b.example', port: 1 },
      { host: '::1', port: 2 },
      { host: '10.0.0.1', port: 9092 },
    ])
  })

  it('the address wins over the environment, and that over the file', () => {
    const env = { TIDEMARK_KAFKA_CONFIG: 'kafka.json', TIDEMARK_KAFKA_USERNAME: 'bob', TIDEMARK_KAFKA_CLIENT_ID: 'env' }
    const settings = read('kafka://b?client-id=url', env)
    expect(settings).toMatchObject({ clientId: 'url', requestTimeoutMs: 5000, tls: {} })
    expect(settings.sasl).toMatchObject({ mechanism: 'scram-sha-512', username: 'bob' })
    expect(settings.sasl?.password.reveal()).toBe('s3cret')
    expect(read('kafka://b?config=kafka.json').sasl?.username).toBe('ann')
  })

  it('certificates are read, and mean TLS', () => {
    const { tls } = read('kafka://b?ca=ca.pem&cert=cert.pem&key=key.pem')
    expect(tls).toMatchObject({ ca: 'CA', cert: 'CERT' })
    expect(tls?.key?.reveal()).toBe('s3cret')
    expect(read('kafka://b?tls=true').tls).toEqual({ ca: undefined, cert: undefined, key: undefined })
    expect(read('kafka://b?tls=false').tls).toBeUndefined()
  })

  it.each([
    ['kafka:b', /does not name brokers/],
    ['kafka://', /does not name brokers/],
    ['kafka://b/topic', /does not name brokers/],
    ['kafka://b:x', /broker 1 in the address is no host with a port/],
    ['kafka://a,b:0', /broker 2 in the address is no host with a port/],
    ['kafka://a,,b', /broker 2 in the address is no host with a port/],
    ['kafka://ann:s3cret', /broker 1 in the address is no host with a port/],
    ['kafka://ann:s3?s3cret@b:9092', /setting 1 in the address has an unknown name/],
    ['kafka://ann:s3/s3cret@b:9092', /does not name brokers/],
    ['kafka://ann:s3#s3cret@b:9092', /does not name brokers/],
    ['kafka://b?sasl=plain&username=ann&password=ab&s3cret', /setting 4 in the address has an unknown name/],
    ['kafka://b?sasl=plain&username=ann&password=ab#s3cret', /does not name brokers/],
    ['kafka://user:s3cret@b:9092', /holds a user or a password/],
    ['kafka://b?acks=1', /setting 1 in the address has an unknown name/],
    ['kafka://b?tls=yes', /neither true nor false/],
    ['kafka://b?tls=false&ca=ca.pem', /tls is false/],
    ['kafka://b?cert=cert.pem', /cert and key go together/],
    ['kafka://b?sasl=oauth&username=u&password=s3cret', /is not one of plain, scram-sha-256, scram-sha-512/],
    ['kafka://b?sasl=plain&password=s3cret', /needs a username/],
    ['kafka://b?sasl=plain&username=u', /needs a password/],
    ['kafka://b?password=s3cret', /no sasl/],
    ['kafka://b?request-timeout=soon', /not a span of time/],
    ['kafka://b?config=bad.json', /bad.json is not JSON/],
    ['kafka://b?config=list.json', /not a JSON object/],
    ['kafka://b?config=deep.json', /not a plain value/],
    ['kafka://b?config=other.json', /setting 1 in other.json has an unknown name/],
  ])('%s is refused, without a secret in the message', (url, message) => {
    const error = failure(() => read(url))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', exit: 78 })
    expect(error.message).toMatch(message)
    expect(`${inspect(error, { depth: 10 })}${JSON.stringify(error)}`).not.toContain('s3cret')
  })

  it('secrets are not printed by accident', () => {
    const settings = read('kafka://b?config=kafka.json&ca=ca.pem&cert=cert.pem&key=key.pem')
    expect(`${inspect(settings, { depth: 10, showHidden: true })}${JSON.stringify(settings)}`).not.toContain('s3cret')
    expect(`${settings.sasl?.password}`).toBe('***')
  })
})

function failure(attempt: () => unknown) {
  try {
    attempt()
  } catch (error) {
    if (isTidemarkError(error)) return error
    throw error
  }
  throw new Error('it should be refused')
}
