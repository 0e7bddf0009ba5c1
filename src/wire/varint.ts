/**
 * Kafka's varints: zigzag, seven bits a byte, low ones first; at most 5 bytes for 32 bits, 10 for 64. A value is zigzagged
 * so that small negative numbers are short: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
 */
const SEVEN_BITS = 0x80
const TWO_28 = 2 ** 28

/** Where reading stands; moved past what was read. */
export interface ReadPosition {
  position: number
}

/** Reads a 32-bit varint that ends before `end`. Throws a plain Error when there is none. */
export function readVarint(bytes: Buffer, at: ReadPosition, end: number): number {
  let raw = 0
  for (let shift = 0; shift < 35 && at.position < end; shift += 7) {
    const byte = bytes[at.position++] as number
    if (shift === 28 && byte > 0x0f) break
    raw |= (byte & 0x7f) << shift
    if (byte < SEVEN_BITS) return (raw >>> 1) ^ -(raw & 1)
  }
  throw new Error('a number does not end')
}

/**
 * Reads a 64-bit varint that ends before `end`: a safe integer, or NaN for a number that is none. Throws a plain
 * Error when there is no such varint.
 */
export function readVarlong(bytes: Buffer, at: ReadPosition, end: number): number {
  let low = 0
  let middle = 0
  let high = 0
  for (let i = 0; i < 10 && at.position < end; i++) {
    const byte = bytes[at.position++] as number
    if (i === 9 && byte > 1) break
    const bits = byte & 0x7f
    if (i < 4) low |= bits << (7 * i)
    else if (i < 8) middle |= bits << (7 * (i - 4))
    else high |= bits << (7 * (i - 8))
    if (byte < SEVEN_BITS) {
      const magnitude = (low >>> 1) + middle * (TWO_28 / 2) + high * (TWO_28 * (TWO_28 / 2))
      const value = (low & 1) === 0 ? magnitude : -magnitude - 1
      return Number.isSafeInteger(value) ? value : Number.NaN
    }
  }
  throw new Error('a number does not end')
}

/** Writes a 32-bit integer as a varint at `position`; gives the position after it. */
export function writeVarint(bytes: Buffer, position: number, value: number): number {
  let raw = ((value << 1) ^ (value >> 31)) >>> 0
  let next = position
  while (raw >= SEVEN_BITS) {
    bytes[next++] = (raw & 0x7f) | SEVEN_BITS
    raw >>>= 7
  }
  bytes[next++] = raw
  return next
}

/** Writes a safe integer as a 64-bit varint at `position`; gives the position after it. */
export function writeVarlong(bytes: Buffer, position: number, value: number): number {
  if (value === value >> 0) return writeVarint(bytes, position, value)
  const magnitude = value < 0 ? -(value + 1) : value
  const sign = value < 0 ? 1 : 0
  // The lowest seven bits hold the sign and six of the magnitude; then seven at a time, by division.
  let next = position
  bytes[next++] = ((magnitude % 64) * 2 + sign) | SEVEN_BITS
  let rest = Math.floor(magnitude / 64)
  while (rest >= SEVEN_BITS) {
    bytes[next++] = (rest % SEVEN_BITS) | SEVEN_BITS
    rest = Math.floor(rest / SEVEN_BITS)
  }
  bytes[next++] = rest
  return next
}

/** Bytes of a 32-bit integer as a varint. */
export function zigzagSize(value: number): number {
  const raw = ((value << 1) ^ (value >> 31)) >>> 0
  if (raw < 0x80) return 1
  if (raw < 0x4000) return 2
  if (raw < 0x20_0000) return 3
  return raw < 0x1000_0000 ? 4 : 5
}

/** Bytes of a safe integer as a 64-bit varint. */
export function zigzagLongSize(value: number): number {
  if (value === value >> 0) return zigzagSize(value)
  let size = 1
  for (let rest = Math.floor((value < 0 ? -(value + 1) : value) / 64); rest > 0; rest = Math.floor(rest / SEVEN_BITS))
    size++
  return size
}
