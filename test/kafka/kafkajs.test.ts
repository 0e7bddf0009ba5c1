import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BrokerLink } from '../../src/adapters/kafka/connection/broker-link.ts'
import { type KafkajsExchange, makeBroker } from '../../src/adapters/kafka/connection/kafkajs.ts'
import { LinkFailure } from '../../src/adapters/kafka/connection/link-failure.ts'
import { ERROR } from '../../src/adapters/kafka/protocol/error-code.ts'
import { metadataRequest } from '../../src/adapters/kafka/protocol/metadata.ts'
import { produceRequest } from '../../src/adapters/kafka/protocol/produce.ts'
import { API } from '../../src/adapters/kafka/protocol/request.ts'
import { AT } from '../../src/wire/batch-layout.ts'
import { BatchWriter } from '../../src/wire/batch-writer.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { testSettings } from './support/settings.ts'

/*
 * What this project uses of kafkajs' inside. Whoever changes the version of kafkajs finds out here.
 */
const OPTIONS = {
  host: '127.0.0.1',
  port: 1,
  clientId: 'tidemark',
  ssl: null,
  sasl: null,
  connectionTimeout: 1000,
  requestTimeout: 1000,
}

describe('kafkajs, inside', () => {
  it('is the version that was read', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(dependencies.kafkajs).toBe('2.2.4')
    expect(JSON.parse(readFileSync('node_modules/kafkajs/package.json', 'utf8')).version).toBe('2.2.4')
  })

  it('a broker has two connections, and the second one is for Fetch', () => {
    const { connectionPool } = makeBroker(OPTIONS)
    expect(connectionPool.pool).toHaveLength(2)
    const chosen = (apiKey: number) => {
      const asked: number[] = []
      const pool = Object.assign(Object.create(connectionPool), { getConnection: (index: number) => asked.push(index) })
      pool.getConnectionByRequest({ request: { apiKey } })
      return asked
    }
    expect(chosen(API.fetch)).toEqual([1])
    expect([API.produce, API.listOffsets, API.metadata, API.createTopics].map(chosen)).toEqual([[0], [0], [0], [0]])
  })

  it('a connection that is refused, or is no broker, is an error of kafkajs', async () => {
    const broker = makeBroker(OPTIONS)
    expect(broker.versions).toBeNull()
    await expect(broker.connect()).rejects.toMatchObject({ name: 'KafkaJSConnectionError', code: 'ECONNREFUSED' })
    expect(broker.connectionPool.pool.map((connection) => connection.isConnected())).toEqual([false, false])
    await broker.disconnect()
  })
})

describe('kafkajs, against something that listens', () => {
  const servers: Server[] = []
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) server.close()
  })

  /** Takes connections and lets `talk` answer. */
  async function listener(talk: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}))
      talk(socket)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  it('what hangs up is a failure of the link', async () => {
    const port = await listener((socket) => socket.end())
    const link = new BrokerLink({ host: '127.0.0.1', port }, testSettings('x'))
    await expect(link.send(metadataRequest([]))).rejects.toBeInstanceOf(LinkFailure)
    await link.close()
  })

  it('what breaks off a handshake is a failure too, although kafkajs hears nothing of it', async () => {
    for (const talk of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.once('data', () => socket.end()),
    ]) {
      const port = await listener(talk)
      const settings = testSettings('x', '&tls=true&connect-timeout=200ms&request-timeout=200ms')
      const link = new BrokerLink({ host: '127.0.0.1', port }, settings)
      await expect(link.send(metadataRequest([]))).rejects.toBeInstanceOf(LinkFailure)
      await link.close()
    }
  })

  it('what never answers is given up when the link is closed, at once', async () => {
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const port = await listener((socket) => socket.on('data', () => asked()))
    const link = new BrokerLink({ host: '127.0.0.1', port }, testSettings('x', '&request-timeout=10m'))
    const answer = link.send(metadataRequest([])).catch((error: unknown) => error)
    await isAsked
    await link.close()
    expect(await answer).toBeInstanceOf(LinkFailure)
  })
})

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('kafkajs, connected', () => {
  let host = ''
  let port = 0
  beforeAll(async () => {
    const [first = ''] = (await kafka.bootstrap()).split(',')
    host = first.split(':')[0] ?? ''
    port = Number(first.split(':')[1])
  }, BROKER_TIMEOUT_MS)

  it('says which versions the broker speaks, and takes requests of any', async () => {
    const broker = makeBroker({ ...OPTIONS, host, port })
    await broker.connect()
    expect(broker.versions?.[API.metadata]).toMatchObject({
      minVersion: expect.any(Number),
      maxVersion: expect.any(Number),
    })
    const encoded = Buffer.from('00' + '01' + '00' + '00' + '00', 'hex')
    const seen: Buffer[] = []
    const exchange: KafkajsExchange<number> = {
      request: {
        apiKey: API.metadata,
        apiName: 'Metadata',
        apiVersion: 12,
        encode: async () => ({ buf: encoded, buffer: encoded }),
      },
      response: {
        decode: async (payload) => {
          seen.push(payload)
          return { clientSideThrottleTime: 0, value: payload.length }
        },
        parse: async ({ value }) => value,
      },
      logResponseError: false,
    }
    expect(await broker.connectionPool.send(exchange)).toBe(seen[0]?.length)
    await broker.disconnect()
    expect(broker.connectionPool.pool[0]?.isConnected()).toBe(false)
  })

  it('holds requests back for as long as an answer asks for', async () => {
    const broker = makeBroker({ ...OPTIONS, host, port })
    await broker.connect()
    const queue = broker.connectionPool.pool[0]?.requestQueue as
      | { throttledUntil: number; pending: unknown[] }
      | undefined
    const encoded = Buffer.from('00' + '01' + '00' + '00' + '00', 'hex')
    const exchange = (clientSideThrottleTime: number): KafkajsExchange<number> => ({
      request: {
        apiKey: API.metadata,
        apiName: 'Metadata',
        apiVersion: 12,
        encode: async () => ({ buf: encoded, buffer: encoded }),
      },
      response: { decode: async () => ({ clientSideThrottleTime, value: 1 }), parse: async ({ value }) => value },
      logResponseError: false,
    })
    const before = Date.now()
    await broker.connectionPool.send(exchange(100))
    expect(queue?.throttledUntil).toBeGreaterThanOrEqual(before + 100)
    const held = broker.connectionPool.send(exchange(0))
    await new Promise((resolve) => setImmediate(resolve))
    expect(queue?.pending).toHaveLength(1)
    expect(await held).toBe(1)
    expect(Date.now()).toBeGreaterThanOrEqual(before + 100)
    await broker.disconnect()
  })

  it('connects once for requests that come together, and again after it was cut off', async () => {
    const link = new BrokerLink({ host, port }, testSettings('x'))
    const connects: number[] = []
    for (const [index, connection] of link.broker.connectionPool.pool.entries()) {
      const connect = connection.connect.bind(connection)
      connection.connect = () => {
        connects.push(index)
        return connect()
      }
    }
    await Promise.all([link.send(metadataRequest([])), link.send(metadataRequest([])), link.send(metadataRequest([]))])
    expect(connects).toEqual([0])
    const [first] = link.broker.connectionPool.pool as unknown as { socket: Socket }[]
    first?.socket.destroy()
    first?.socket.emit('end')
    await new Promise((resolve) => setImmediate(resolve))
    expect(await link.send(metadataRequest([]))).toMatchObject({ clusterId: expect.any(String) })
    expect(connects).toEqual([0, 0])
    await link.close()
    expect(link.isConnected).toBe(false)
    await expect(link.send(metadataRequest([]))).rejects.toBeInstanceOf(LinkFailure)
  })

  it('what it loses is given up all the same', async () => {
    const settings = testSettings('x', '&connect-timeout=300ms&request-timeout=300ms')
    const link = new BrokerLink({ host, port }, settings)
    await link.connect()
    const [first] = link.broker.connectionPool.pool as unknown as {
      socket: Socket
      requestQueue: { destroy(): void }
    }[]
    // As its disconnect does, at the moment when another request is just being pushed.
    first?.socket.pause()
    first?.requestQueue.destroy()
    await expect(link.send(metadataRequest([]))).rejects.toThrow('it was not done with Metadata within 900 ms')
    await link.close()
  })

  it('takes a request in parts, as one, where nobody has to log in', async () => {
    const link = new BrokerLink({ host, port }, testSettings('x'))
    await link.send(metadataRequest([]))
    const [first] = link.broker.connectionPool.pool
    const written: number[] = []
    const socket = first?.socket as Socket
    const write = socket.write.bind(socket)
    socket.write = (bytes: Uint8Array | string) => {
      written.push(bytes.length)
      return write(bytes)
    }
    const writer = new BatchWriter()
    writer.append(0, 'k', Buffer.alloc(100_000), [])
    const batch = writer.finish()
    const parts = [batch.subarray(0, AT.records), batch.subarray(AT.records)]
    const batches = [{ topic: `missing-${port}`, partition: 0, parts }]
    const [answer] = await link.send(produceRequest({ transactionalId: null, timeoutMs: 1000, batches }))
    expect(answer).toMatchObject({
      topic: `missing-${port}`,
      partition: 0,
      errorCode: ERROR.UNKNOWN_TOPIC_OR_PARTITION,
    })
    expect(written).toContain(batch.length - AT.records)
    await link.close()
  })

  it('leaves no timer behind on a connection that is idle', async () => {
    const link = new BrokerLink({ host, port }, testSettings('x'))
    await link.send(metadataRequest([]))
    const queue = link.broker.connectionPool.pool[0]?.requestQueue as { throttleCheckTimeoutId?: unknown } | undefined
    expect(queue?.throttleCheckTimeoutId ?? null).toBeNull()
    await link.close()
  })
})
