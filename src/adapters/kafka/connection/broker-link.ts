import type { SASLOptions } from 'kafkajs'
import { TidemarkError } from '../../../core/errors.ts'
import { ByteReader } from '../protocol/byte-reader.ts'
import { ByteWriter } from '../protocol/byte-writer.ts'
import { type Answer, API, type ApiRequest } from '../protocol/request.ts'
import type { HostPort, KafkaSettings } from '../settings/kafka-settings.ts'
import { type KafkajsBroker, type KafkajsConnection, type KafkajsExchange, makeBroker } from './kafkajs.ts'
import { LinkFailure } from './link-failure.ts'
import { sendParts } from './send-parts.ts'
import { translateError } from './translate-error.ts'

/** The connections to one broker, made when they are needed, and made again when they are lost. */
export class BrokerLink {
  readonly address: string
  /** kafkajs' broker: for the requests that it encodes itself, after `connect`. */
  readonly broker: KafkajsBroker
  readonly #connecting = new Map<unknown, Promise<unknown>>()
  /** kafkajs waits for ever where a handshake is broken off; logging in has no limit of its own. */
  readonly #readyWithinMs: number
  /**
   * kafkajs gives up what is not answered in time. But a request that it sends while the connection goes down is lost with
   * it, and a login that is due again has no limit: after this long it is given up here.
   */
  readonly #answeredWithinMs: number
  /** The broker wants to be left alone until then, of the clock that never goes back. */
  #heldUntil = 0
  #closed = false
  readonly #logsIn: boolean

  constructor({ host, port }: HostPort, settings: KafkaSettings) {
    this.#logsIn = settings.sasl !== undefined
    this.address = `${host}:${port}`
    this.#readyWithinMs = settings.connectTimeoutMs + settings.requestTimeoutMs
    this.#answeredWithinMs = this.#readyWithinMs + settings.requestTimeoutMs
    this.broker = makeBroker({
      host,
      port,
      clientId: settings.clientId,
      ssl: tlsOptions(settings),
      sasl: saslOptions(settings),
      connectionTimeout: settings.connectTimeoutMs,
      requestTimeout: settings.requestTimeoutMs,
    })
  }

  /** Whether a request would go out without connecting first. */
  get isConnected(): boolean {
    return this.broker.connectionPool.pool.some((connection) => connection.isConnected())
  }

  /** Throws LinkFailure, or CONFIG_INVALID for a login or a certificate that is refused. */
  async connect(): Promise<void> {
    await this.#translated(() => this.#ready(0))
  }

  /**
   * Sends a request and gives the answer; waits first where the broker has asked for it. Throws as `connect`, and
   * CONFIG_INVALID for a broker that does not speak the request's version.
   */
  async send<T>(request: ApiRequest<T>): Promise<T> {
    return this.#translated(async () => {
      const connection = await this.#ready(request.key === API.fetch ? 1 : 0)
      this.#requireVersion(request)
      return this.#answered(this.#exchanged(connection, request), request.name)
    })
  }

  /** What is in flight fails. */
  async close(): Promise<void> {
    this.#closed = true
    const { pool } = this.broker.connectionPool
    for (const connection of pool) connection.rejectRequests(new LinkFailure(this.address, 'the connection was closed'))
    const closed = this.#limited(this.broker.disconnect(), () => this.#readyWithinMs, 'closed')
    await closed.catch((error: unknown) => {
      if (!(error instanceof LinkFailure)) throw error
    })
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw translateError(error, this.address)
    }
  }

  /** kafkajs connects twice when asked twice at the same time. */
  async #ready(index: 0 | 1): Promise<KafkajsConnection> {
    if (this.#closed) throw new LinkFailure(this.address, 'the connection was closed')
    const { broker } = this
    await this.#once(broker, () => broker.connect())
    const connection = broker.connectionPool.pool[index] as KafkajsConnection
    if (!connection.isConnected()) await this.#once(connection, () => connection.connect())
    return connection
  }

  async #once(key: unknown, connect: () => Promise<unknown>): Promise<void> {
    let running = this.#connecting.get(key)
    if (running === undefined) {
      running = this.#limited(connect(), () => this.#readyWithinMs, 'ready').finally(() => this.#connecting.delete(key))
      this.#connecting.set(key, running)
    }
    await running
  }

  #answered<T>(answer: Promise<T>, name: string): Promise<T> {
    const sentAt = performance.now()
    const withinMs = () => Math.max(sentAt, this.#heldUntil) - sentAt + this.#answeredWithinMs
    return this.#limited(answer, withinMs, `done with ${name}`)
  }

  /** `withinMs`, from now on, may grow while it lasts. */
  async #limited<T>(work: Promise<T>, withinMs: () => number, what: string): Promise<T> {
    const since = performance.now()
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_, reject) => {
      const check = () => {
        const leftMs = since + withinMs() - performance.now()
        if (leftMs > 0) timer = setTimeout(check, Math.ceil(leftMs))
        else reject(new LinkFailure(this.address, `it was not ${what} within ${Math.round(withinMs())} ms`))
      }
      check()
    })
    try {
      return await Promise.race([work, limit])
    } finally {
      clearTimeout(timer)
    }
  }

  #exchanged<T>(connection: KafkajsConnection, request: ApiRequest<T>): Promise<T> {
    const { parts } = encoded(request)
    const exchange = exchangeOf(request, parts, this.address, (ms) => {
      this.#heldUntil = Math.max(this.#heldUntil, performance.now() + ms)
    })
    const isLarge = parts.length > 1
    // Where nobody logs in, kafkajs never counts as logged in.
    const isIn = !this.#logsIn || connection.isAuthenticated()
    if (isLarge && isIn) return sendParts(connection, exchange, parts)
    return this.broker.connectionPool.send(exchange)
  }

  #requireVersion({ name, key, version }: ApiRequest<unknown>): void {
    const spoken = this.broker.versions?.[key]
    if (spoken !== undefined && spoken.minVersion <= version && version <= spoken.maxVersion) return
    const range = spoken === undefined ? 'not at all' : `in versions ${spoken.minVersion} to ${spoken.maxVersion}`
    throw new TidemarkError('CONFIG_INVALID', `${this.address} speaks ${name} ${range}, and not in ${version}`, {
      hint: 'Apache Kafka 3.1 or later is needed.',
    })
  }
}

function tlsOptions({ tls }: KafkaSettings): object | null {
  if (tls === undefined) return null
  const { ca, cert, key } = tls
  return { ...(ca && { ca: [ca] }), ...(cert && { cert }), ...(key && { key: key.reveal() }) }
}

/** A new object for each broker: kafkajs writes into it. */
function saslOptions({ sasl }: KafkaSettings): SASLOptions | null {
  if (sasl === undefined) return null
  const { mechanism, username, password } = sasl
  return { mechanism, username, password: password.reveal() }
}

function encoded(request: ApiRequest<unknown>): ByteWriter {
  const writer = new ByteWriter().tags() // of the header
  request.write(writer)
  return writer
}

function exchangeOf<T>(
  request: ApiRequest<T>,
  parts: readonly Buffer[],
  address: string,
  held: (throttleMs: number) => void,
): KafkajsExchange<T> {
  return {
    request: {
      apiKey: request.key,
      apiName: request.name,
      apiVersion: request.version,
      async encode() {
        const bytes = Buffer.concat(parts)
        return { buf: bytes, buffer: bytes }
      },
    },
    response: {
      async decode(payload) {
        const { throttleMs, value } = readAnswer(request, payload, address)
        if (throttleMs > 0) held(throttleMs)
        return { clientSideThrottleTime: throttleMs, value }
      },
      parse: async ({ value }) => value,
    },
    logResponseError: false,
  }
}

function readAnswer<T>(request: ApiRequest<T>, payload: Buffer, address: string): Answer<T> {
  const reader = new ByteReader(payload)
  try {
    reader.tags() // of the header
    return request.read(reader)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new LinkFailure(address, `its answer to ${request.name} is cut`, error)
  }
}
