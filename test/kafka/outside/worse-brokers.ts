import type { Brokers } from '../../../src/adapters/kafka/connection/brokers.ts'
import { LinkFailure } from '../../../src/adapters/kafka/connection/link-failure.ts'
import type { ApiRequest } from '../../../src/adapters/kafka/protocol/request.ts'

export interface Loss {
  /** Of the request, as Kafka calls it. */
  readonly of: string
  /** What is lost: the request, so that nothing is done, or the answer to what is done. */
  readonly what: 'request' | 'answer'
  /** How often. */
  readonly times: number
  /** Told of each. */
  readonly onLoss?: () => void
}

/** The brokers, but for what is lost on the way to a node and back. */
export function losing(brokers: Brokers, { of, what, times, onLoss }: Loss): Brokers {
  let left = times
  const node = async <T>(nodeId: number, request: ApiRequest<T>): Promise<T> => {
    if (request.name !== of || left <= 0) return brokers.node(nodeId, request)
    left--
    if (what === 'answer') await brokers.node(nodeId, request)
    onLoss?.()
    throw new LinkFailure('on the way', `the ${what} of ${of} was lost`)
  }
  return new Proxy(brokers, {
    get(target, name) {
      if (name === 'node') return node
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
