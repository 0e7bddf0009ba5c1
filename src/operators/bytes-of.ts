import type { ByteString, Bytes } from '../core/bytes.ts'
import { encodeBytes, encodeKey, type Serde } from '../serde/serde.ts'
import type { Step } from './step.ts'

/** Both serdes read each other's bytes alike. */
export function sameFormat(one: Serde<unknown> | null, other: Serde<unknown>): boolean {
  return one !== null && (one === other || one.format === other.format)
}

/** The way from a step's keys, which are not null, to their bytes in `serde`. A key that is still raw keeps its bytes. */
export function keyBytesOf(node: number, step: Step, serde: Serde<unknown>): (key: unknown) => ByteString {
  const { record, running } = step.context
  if (sameFormat(step.rawKey, serde)) return () => record.rawKey as ByteString
  return (key) => {
    running.step = node
    const bytes = encodeKey(serde, key)
    running.step = -1
    return bytes
  }
}

/** The way from a step's values, which are not null, to their bytes in `serde`. A value that is still raw keeps its bytes. */
export function valueBytesOf(node: number, step: Step, serde: Serde<unknown>): (value: unknown) => Bytes {
  const { record, running } = step.context
  if (sameFormat(step.rawValue, serde)) return () => record.bytes.subarray(record.valueStart, record.valueEnd)
  return (value) => {
    running.step = node
    const bytes = encodeBytes(serde, value)
    running.step = -1
    return bytes
  }
}
