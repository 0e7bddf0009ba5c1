import { asBuffer, type ByteString } from '../../core/bytes.ts'
import { badData } from '../bad-data.ts'

/** Bytes that a time takes: a signed 64-bit integer, big-endian. */
export const TIME_BYTES = 8

const TWO_32 = 2 ** 32

/** Writes a time (epoch ms, an integer of 0 or more) at `at`. */
export function writeTime(bytes: Buffer, at: number, time: number): void {
  checkTime(time)
  bytes.writeUInt32BE(Math.floor(time / TWO_32), at)
  bytes.writeUInt32BE(time % TWO_32, at + 4)
}

/** The time at `at`. Throws BAD_DATA for one that is below 0 or does not fit a JavaScript number. */
export function readTime(bytes: Uint8Array, at: number): number {
  const buffer = asBuffer(bytes)
  return checkTime(buffer.readInt32BE(at) * TWO_32 + buffer.readUInt32BE(at + 4))
}

/** A time as bytes of a key. */
export function timeKey(time: number): ByteString {
  checkTime(time)
  const high = Math.floor(time / TWO_32)
  const low = time % TWO_32
  return String.fromCharCode(
    high >>> 24,
    (high >>> 16) & 0xff,
    (high >>> 8) & 0xff,
    high & 0xff,
    low >>> 24,
    (low >>> 16) & 0xff,
    (low >>> 8) & 0xff,
    low & 0xff,
  )
}

/** The time at `at` of a key. */
export function readTimeKey(key: ByteString, at: number): number {
  const byte = (offset: number) => key.charCodeAt(at + offset)
  const high = (byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3)
  const low = ((byte(4) << 24) | (byte(5) << 16) | (byte(6) << 8) | byte(7)) >>> 0
  return checkTime(high * TWO_32 + low)
}

function checkTime(time: number): number {
  if (Number.isSafeInteger(time) && time >= 0) return time
  throw badData(`${time} is no time of a window`, 'Windows begin and end at whole milliseconds, 0 or later.')
}
