import type { Serde } from '../serde/serde.ts'
import type { Node } from '../topology/nodes.ts'
import type { ExchangedRecord } from './input/exchanged-record.ts'

/**
 * Makes an exchanged record what it would be had it gone through a topic: key and values are encoded and read again, as
 * far as the exchange knows their serdes. For tests: a job must not depend on which objects its values are.
 */
export function roundTrip(node: Node | undefined, record: ExchangedRecord): void {
  if (node?.kind !== 'exchange') return
  record.decodedKey = again(node.key, record.decodedKey)
  if (node.value === null) return
  record.value = again(node.value, record.value)
  record.old = again(node.value, record.old)
}

function again(serde: Serde<unknown>, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'symbol') return value
  const bytes = serde.encode(value)
  return serde.decode(bytes, 0, bytes.length)
}
