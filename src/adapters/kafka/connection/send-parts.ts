import type { KafkajsConnection, KafkajsExchange } from './kafkajs.ts'

const INT16_BYTES = 2
const INT32_BYTES = 4

/**
 * Sends a request whose body, header tags included, comes in parts. kafkajs' own way puts a request together three times
 * over, each time in memory that is new and larger: for a megabyte of batches that costs more than all else. The connection
 * must be logged in. Throws as kafkajs does.
 */
export async function sendParts<T>(
  connection: KafkajsConnection,
  { request: { apiKey, apiName, apiVersion }, response }: KafkajsExchange<T>,
  parts: readonly Buffer[],
): Promise<T> {
  const correlationId = connection.nextCorrelationId()
  const header = headerOf(apiKey, apiVersion, correlationId, connection.clientId, parts)
  const { payload } = await new Promise<{ readonly payload: Buffer }>((resolve, reject) => {
    connection.requestQueue.push({
      entry: { apiKey, apiName, apiVersion, correlationId, resolve, reject },
      expectResponse: true,
      sendRequest: () => {
        const { socket } = connection
        socket.cork()
        socket.write(header)
        for (const part of parts) socket.write(part)
        socket.uncork()
      },
    })
  })
  const decoded = await response.decode(payload)
  connection.requestQueue.maybeThrottle(decoded.clientSideThrottleTime)
  return response.parse(decoded)
}

/** The length of all that follows, and the header of the request up to its tagged fields, which are part of the body here. */
function headerOf(key: number, version: number, correlationId: number, clientId: string, parts: readonly Buffer[]) {
  const client = Buffer.from(clientId, 'utf8')
  const header = Buffer.allocUnsafe(2 * INT32_BYTES + 3 * INT16_BYTES + client.length)
  const bodyBytes = parts.reduce((sum, { length }) => sum + length, 0)
  let at = header.writeInt32BE(header.length - INT32_BYTES + bodyBytes, 0)
  at = header.writeInt16BE(key, at)
  at = header.writeInt16BE(version, at)
  at = header.writeInt32BE(correlationId, at)
  at = header.writeInt16BE(client.length, at)
  client.copy(header, at)
  return header
}
