import { type ByteString, fromByteString } from '../../core/bytes.ts'
import type { Windowed } from '../../core/windowed.ts'
import { badData, formatBytes } from '../bad-data.ts'
import { decodeKey, encodeKey, type Serde } from '../serde.ts'
import { readTime, readTimeKey, TIME_BYTES, timeKey, writeTime } from './time-bytes.ts'

/** How the bytes behind a key tell a window: so many times, made of start and end and read back into them. */
export interface WindowLayout {
  readonly times: 1 | 2
  /** The first and, where there are two, the second time. */
  readonly write: (start: number, end: number) => readonly [first: number, second: number]
  readonly start: (first: number, second: number) => number
  readonly end: (first: number, second: number) => number
  /** Where all windows have one size, which is not written. */
  readonly sizeMs?: number
}

/** A serde of windowed keys, with that of the keys themselves. */
export interface WindowedSerde<K> extends Serde<Windowed<K>> {
  readonly inner: Serde<K>
  readonly sizeMs?: number | undefined
}

/** The serde of the keys in windowed keys; undefined where keys are not windowed. */
export function innerSerde(serde: Serde<unknown>): Serde<unknown> | undefined {
  return 'inner' in serde ? (serde as unknown as WindowedSerde<unknown>).inner : undefined
}

/** The one size of the windows in windowed keys; undefined where each tells its end, or where keys are not windowed. */
export function windowSizeMs(serde: Serde<unknown>): number | undefined {
  return 'sizeMs' in serde ? (serde as unknown as WindowedSerde<unknown>).sizeMs : undefined
}

/** A serde of windowed keys: the key's own bytes, then those of its window. */
export function windowedSerde<K>(format: string, inner: Serde<K>, layout: WindowLayout): WindowedSerde<K> {
  const length = layout.times * TIME_BYTES
  const windowed = (key: K, first: number, second: number): Windowed<K> => {
    const start = layout.start(first, second)
    const end = layout.end(first, second)
    if (end < start) throw backwards(format, start, end)
    return { key, start, end }
  }
  return Object.freeze({
    format,
    inner,
    sizeMs: layout.sizeMs,
    // as Kafka Streams does: all windows of a key lie together
    partitionBytes(bytes: ByteString): ByteString {
      const own = bytes.slice(0, Math.max(0, bytes.length - length))
      return inner.partitionBytes === undefined ? own : inner.partitionBytes(own)
    },
    encode(value: Windowed<K>): Uint8Array {
      const { key, start, end } = checked(value, format)
      const [first, second] = layout.write(start, end)
      const keyBytes = inner.encode(key)
      const bytes = Buffer.allocUnsafe(keyBytes.length + length)
      bytes.set(keyBytes)
      writeTime(bytes, keyBytes.length, first)
      if (layout.times === 2) writeTime(bytes, keyBytes.length + TIME_BYTES, second)
      return bytes
    },
    decode(bytes: Uint8Array, start: number, end: number): Windowed<K> {
      const at = end - length
      if (at < start) throw tooShort(format, bytes, start, end)
      const second = layout.times === 2 ? readTime(bytes, at + TIME_BYTES) : 0
      return windowed(inner.decode(bytes, start, at), readTime(bytes, at), second)
    },
    encodeKey(value: Windowed<K>): ByteString {
      const { key, start, end } = checked(value, format)
      const [first, second] = layout.write(start, end)
      const bytes = encodeKey(inner, key) + timeKey(first)
      return layout.times === 2 ? bytes + timeKey(second) : bytes
    },
    decodeKey(bytes: ByteString): Windowed<K> {
      const at = bytes.length - length
      if (at < 0) throw tooShort(format, fromByteString(bytes), 0, bytes.length)
      const second = layout.times === 2 ? readTimeKey(bytes, at + TIME_BYTES) : 0
      return windowed(decodeKey(inner, bytes.slice(0, at)), readTimeKey(bytes, at), second)
    },
  })
}

function checked<K>(value: Windowed<K>, format: string): Windowed<K> {
  if (typeof value === 'object' && value !== null && 'key' in value) {
    if (value.end < value.start) throw backwards(format, value.start, value.end)
    return value
  }
  throw badData(`${format} cannot write a ${value === null ? 'null' : typeof value}`, 'Give { key, start, end }.')
}

function backwards(format: string, start: number, end: number): Error {
  return badData(
    `${format} has a window that ends at ${end}, before its start at ${start}`,
    'Is the topic keyed otherwise? A session has its end before its start in its bytes, a calendar window its start.',
  )
}

function tooShort(format: string, bytes: Uint8Array, start: number, end: number): Error {
  return badData(
    `${format} cannot read ${end - start} bytes (${formatBytes(bytes, start, end)})`,
    'The key of a windowed table ends with the times of its window; is the topic keyed otherwise?',
  )
}
