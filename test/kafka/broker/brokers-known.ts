import { connect } from 'node:net'

/** A request for Metadata, version 1, about no topic: length, key 3, version 1, correlation 1, no client id, no topics. */
const REQUEST = Buffer.from('0000000e' + '0003' + '0001' + '00000001' + 'ffff' + '00000000', 'hex')
/** Behind the answer's length and correlation. */
const COUNT_AT = 8

/** How many brokers the one at this port knows: 0 before it has joined, undefined when it does not answer. */
export function brokersKnown(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 2000 }, () => socket.write(REQUEST))
    let answer = Buffer.alloc(0)
    const settle = (count: number | undefined) => {
      socket.destroy()
      resolve(count)
    }
    socket.on('data', (bytes) => {
      answer = Buffer.concat([answer, bytes])
      if (answer.length >= COUNT_AT + 4) settle(answer.readInt32BE(COUNT_AT))
    })
    for (const event of ['error', 'close', 'timeout']) socket.on(event, () => settle(undefined))
  })
}
