import { asBuffer } from '../core/bytes.ts'
import { badData, formatBytes } from './bad-data.ts'
import type { Serde } from './serde.ts'

const INT64: Serde<bigint> = Object.freeze({ format: 'int64', encode, decode })

/** A signed 64-bit integer in eight bytes, big-endian, as Kafka's long serde writes it. */
export function int64(): Serde<bigint> {
  return INT64
}

function encode(value: bigint): Uint8Array {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) {
    throw badData(
      `int64() cannot write ${typeof value === 'bigint' ? value : `a value of type ${typeof value}`}`,
      'Give a bigint from -2^63 to 2^63 - 1, as in 5n or BigInt(count).',
    )
  }
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

function decode(bytes: Uint8Array, start: number, end: number): bigint {
  if (end - start === 8) return asBuffer(bytes).readBigInt64BE(start)
  throw badData(
    `int64() reads 8 bytes, not ${end - start} (${formatBytes(bytes, start, end)})`,
    'If the topic holds text or JSON, read it with string() or json().',
  )
}
