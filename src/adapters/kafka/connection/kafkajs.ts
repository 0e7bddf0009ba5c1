import { createRequire } from 'node:module'
import { connect, isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { ISocketFactory, Logger, SASLOptions } from 'kafkajs'

/*
 * What is used of kafkajs' inside: connections, with TLS and SASL, and the requests of a broker. The package has no
 * typings for it and promises nothing about it, so its version is pinned and one contract test holds all of this.
 */

/** A request and its answer, as a connection takes them. */
export interface KafkajsExchange<T> {
  readonly request: {
    readonly apiKey: number
    readonly apiName: string
    readonly apiVersion: number
    /** What it calls an encoder. */
    encode(): Promise<{ readonly buf: Buffer; readonly buffer: Buffer }>
  }
  readonly response: {
    /** `clientSideThrottleTime`, in ms, is kept by the connection. */
    decode(payload: Buffer): Promise<{ readonly clientSideThrottleTime: number; readonly value: T }>
    parse(decoded: { readonly value: T }): Promise<T>
  }
  readonly logResponseError: boolean
}

/** A socket and the requests in flight on it. */
export interface KafkajsConnection {
  readonly requestQueue: KafkajsRequestQueue
  /** While it is connected. */
  readonly socket: { cork(): void; write(bytes: Buffer): unknown; uncork(): void }
  readonly clientId: string
  isConnected(): boolean
  /** False before the login, and where it is to be made again: `send` does so. */
  isAuthenticated(): boolean
  /** Of the request that is pushed next. */
  nextCorrelationId(): number
  /** Opens a second socket when called again before it is connected. */
  connect(): Promise<unknown>
  rejectRequests(error: Error): void
}

export interface KafkajsRequestQueue {
  readonly pending: readonly unknown[]
  /** Calls `sendRequest` as soon as it may be sent, and `resolve` or `reject` once. */
  push(pushed: {
    readonly entry: {
      readonly apiKey: number
      readonly apiName: string
      readonly apiVersion: number
      readonly correlationId: number
      resolve(answer: { readonly payload: Buffer }): void
      reject(error: Error): void
    }
    readonly expectResponse: true
    sendRequest(): void
  }): void
  /** No request is sent for so many ms. */
  maybeThrottle(ms: number): void
  scheduleCheckPendingRequests(): void
}

/** Two connections to one broker: the second one is for Fetch. */
export interface KafkajsPool {
  readonly pool: readonly KafkajsConnection[]
  send<T>(exchange: KafkajsExchange<T>): Promise<T>
}

/** A broker: its pool, the versions that it speaks, and kafkajs' own requests. */
export interface KafkajsBroker {
  readonly connectionPool: KafkajsPool
  /** By the number of the request; null before it is connected. */
  readonly versions: Readonly<Record<number, { readonly minVersion: number; readonly maxVersion: number }>> | null
  /** Connects, asks for versions and logs in, unless one of the two connections is up. */
  connect(): Promise<void>
  /** Waits for what is in flight. */
  disconnect(): Promise<void>
}

export interface KafkajsOptions {
  readonly host: string
  readonly port: number
  readonly clientId: string
  readonly ssl: object | null
  readonly sasl: SASLOptions | null
  readonly connectionTimeout: number
  readonly requestTimeout: number
}

interface Internals {
  readonly Broker: new (options: { connectionPool: KafkajsPool; logger: Logger }) => KafkajsBroker
  readonly ConnectionPool: new (
    options: KafkajsOptions & { socketFactory: ISocketFactory; logger: Logger },
  ) => KafkajsPool
  readonly loggers: { createLogger(options: { level: number; logCreator: () => () => void }): Logger }
}

const require = createRequire(import.meta.url)
/** What an idle connection is asked after, as kafkajs does. */
const KEEP_ALIVE_MS = 60_000

let loaded: Internals | undefined

/** A broker of kafkajs, not connected yet. It logs nothing. */
export function makeBroker(options: KafkajsOptions): KafkajsBroker {
  loaded ??= {
    Broker: require('kafkajs/src/broker'),
    ConnectionPool: require('kafkajs/src/network/connectionPool'),
    loggers: require('kafkajs/src/loggers'),
  }
  const { Broker, ConnectionPool, loggers } = loaded
  const logger = loggers.createLogger({ level: 0, logCreator: () => () => {} })
  const connectionPool = new ConnectionPool({ ...options, socketFactory: openSocket, logger })
  for (const { requestQueue } of connectionPool.pool) quieten(requestQueue)
  return new Broker({ connectionPool, logger })
}

/** As kafkajs' own, which loads TLS where nobody asks for it too. */
const openSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  // Typed as if it were always there.
  const socket = ssl ? openTls(host, port, ssl, onConnect) : connect({ host, port }, onConnect)
  return socket.setKeepAlive(true, KEEP_ALIVE_MS)
}

function openTls(host: string, port: number, ssl: ConnectionOptions, onConnect: () => void): Socket {
  const tls = require('node:tls') as typeof import('node:tls')
  return tls.connect({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect)
}

/** Without this a connection sets a timer of no delay after each timer, as long as it lives, whether it is throttled or not. */
function quieten(queue: KafkajsRequestQueue): void {
  const schedule = queue.scheduleCheckPendingRequests
  queue.scheduleCheckPendingRequests = () => {
    if (queue.pending.length > 0) schedule.call(queue)
  }
}
