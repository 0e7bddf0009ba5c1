import { durationMs } from '../../../core/duration.ts'
import { isTidemarkError } from '../../../core/errors.ts'
import { invalidSettings } from './invalid-settings.ts'
import {
  type HostPort,
  type KafkaSettings,
  SASL_MECHANISMS,
  type SaslSettings,
  type TlsSettings,
} from './kafka-settings.ts'
import { mergedOptions, type OptionName, type Options, variableOf } from './options.ts'
import { Secret } from './secret.ts'

const DEFAULT_PORT = 9092

/**
 * Settings from an address `kafka://host:port,host:port?name=value`, the environment and the file that either names.
 * `readText` gives the text of a file. Throws CONFIG_INVALID, never with a secret in it.
 */
export function readSettings(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  readText: (path: string) => string,
): KafkaSettings {
  const [, hosts, query] = /^kafka:\/\/([^/?#]+)\/?(?:\?([^#]*))?$/.exec(url) ?? []
  if (hosts === undefined) throw invalidAddress('the address of the log does not name brokers')
  if (hosts.includes('@')) {
    const hint = `Give them as ${variableOf('username')} and ${variableOf('password')}, or in a file: ${variableOf('config')}.`
    throw invalidSettings('the address of the log holds a user or a password before its brokers', hint)
  }
  const options = mergedOptions(new URLSearchParams(query ?? ''), env, readText)
  return {
    brokers: hosts.split(',').map(hostPort),
    clientId: options.get('client-id')?.text ?? 'tidemark',
    tls: tlsOf(options, readText),
    sasl: saslOf(options),
    connectTimeoutMs: spanOf(options, 'connect-timeout', 10_000),
    requestTimeoutMs: spanOf(options, 'request-timeout', 30_000),
    retryForMs: spanOf(options, 'retry-for', 120_000),
  }
}

/** A text that is no broker may be a user and a password: it is told by its number, never repeated. */
function hostPort(text: string, index: number): HostPort {
  const [, bracketed, plain, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+))(?::(\d+))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? DEFAULT_PORT : Number(digits)
  if (host === undefined || port < 1 || port > 65_535)
    throw invalidAddress(`broker ${index + 1} in the address is no host with a port`)
  return { host, port }
}

function invalidAddress(message: string) {
  return invalidSettings(message, 'Write kafka://host:port, with a comma between several brokers.')
}

function tlsOf(options: Options, readText: (path: string) => string): TlsSettings | undefined {
  const [ca, cert, key] = (['ca', 'cert', 'key'] as const).map((name) => options.get(name)?.text)
  const asked = options.get('tls')
  if (asked !== undefined && !['true', 'false'].includes(asked.text)) {
    throw invalidSettings(`${asked.source} is neither true nor false`)
  }
  const files = [ca, cert, key].some((path) => path !== undefined)
  if (asked?.text === 'false' && files) throw invalidSettings('tls is false, and there are ca, cert or key for it')
  if (asked?.text !== 'true' && !files) return undefined
  if ((cert === undefined) !== (key === undefined))
    throw invalidSettings('cert and key go together, and one is missing')
  const pem = (path: string | undefined) => (path === undefined ? undefined : readText(path))
  const keyText = pem(key)
  return { ca: pem(ca), cert: pem(cert), key: keyText === undefined ? undefined : new Secret(keyText) }
}

function saslOf(options: Options): SaslSettings | undefined {
  const asked = options.get('sasl')
  const username = options.get('username')?.text
  const password = options.get('password')?.text
  if (asked === undefined) {
    if (username === undefined && password === undefined) return undefined
    throw invalidSettings('there is a username or a password, and no sasl', `sasl is ${SASL_MECHANISMS.join(', ')}.`)
  }
  const mechanism = SASL_MECHANISMS.find((each) => each === asked.text.toLowerCase())
  if (mechanism === undefined) throw invalidSettings(`${asked.source} is not one of ${SASL_MECHANISMS.join(', ')}`)
  if (username === undefined || password === undefined) {
    const missing = username === undefined ? 'username' : 'password'
    throw invalidSettings(
      `sasl needs a ${missing}`,
      `Give it as ${variableOf(missing)}, or in a file: ${variableOf('config')}.`,
    )
  }
  return { mechanism, username, password: new Secret(password) }
}

function spanOf(options: Options, name: OptionName, defaultMs: number): number {
  const option = options.get(name)
  if (option === undefined) return defaultMs
  try {
    return durationMs(option.text)
  } catch (error) {
    if (!isTidemarkError(error, 'USAGE')) throw error
    throw invalidSettings(`${option.source} is not a span of time`, error.hint)
  }
}
