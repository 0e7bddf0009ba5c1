import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Headers } from '../../../src/core/headers.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import type { CodecName } from '../../../src/wire/codec.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'

export const CODEC_NAMES: readonly CodecName[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd']

/** A record as plain data, its bytes copied. */
export interface PlainRecord {
  readonly offset: number
  readonly timestamp: number
  readonly key: string | null
  readonly value: Uint8Array | null
  readonly headers: Headers
}

export function readAll(batch: Uint8Array, cursor = new RecordCursor()): PlainRecord[] {
  cursor.open(batch, { topic: 'flights', partition: 3 })
  const records: PlainRecord[] = []
  while (cursor.next()) {
    const value = cursor.value()
    records.push({
      offset: cursor.offset,
      timestamp: cursor.timestamp,
      key: cursor.key(),
      value: value === null ? null : Buffer.from(value),
      headers: cursor.headers().map(([name, bytes]) => [name, bytes === null ? null : Buffer.from(bytes)]),
    })
  }
  return records
}

export function writeAll(
  records: readonly PlainRecord[],
  codec: CodecName = 'none',
  writer = new BatchWriter(),
): Buffer {
  for (const { timestamp, key, value, headers } of records) writer.append(timestamp, key, value, headers)
  return writer.finish(codec)
}

/** Records as texts: comparing those is quick, and their differences can be read. */
export function asTexts(records: readonly PlainRecord[]): string[] {
  const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('latin1'))
  return records.map(({ offset, timestamp, key, value, headers }) =>
    JSON.stringify([offset, timestamp, key, text(value), headers.map(([name, bytes]) => [name, text(bytes)])]),
  )
}

/** The form of bytes in the fixtures: hexadecimal, or length and SHA-256 where long. */
export function brief(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null
  if (bytes.length <= 64) return Buffer.from(bytes).toString('hex')
  return `${bytes.length}:${createHash('sha256').update(bytes).digest('hex')}`
}

const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 60, maxLength: 300 }) },
  { weight: 1, arbitrary: fc.nat(40_000).map((length) => new Uint8Array(length).fill(length)) },
)
const bytesOrNull = fc.option(
  bytes.map((some) => Buffer.from(some)),
  { freq: 5 },
)
const headerName = fc.oneof(
  fc.constantFrom('h', 'constructor', '__proto__', '', '10', '9'),
  fc.string({ unit: 'grapheme', maxLength: 70 }),
)
const timestamp = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1_357_000_000_000, max: 1_389_000_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER - 1) },
  { weight: 1, arbitrary: fc.nat(Number.MAX_SAFE_INTEGER - 1) },
)

/** Records as a writer takes them: offsets from 0 without holes, timestamps in any order. */
export const someRecords = fc
  .array(
    fc.record({
      timestamp,
      key: bytesOrNull.map((some) => some?.toString('latin1') ?? null),
      value: bytesOrNull,
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.tuple(headerName, bytesOrNull), { maxLength: 5 }) },
      ),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((rows) => rows.map((row, offset): PlainRecord => ({ offset, ...row })))
