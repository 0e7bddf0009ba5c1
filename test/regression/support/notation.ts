import type { Headers } from '../../../src/core/headers.ts'

/** A record as the field cases write it, in bytes. */
export interface NotedRecord {
  readonly partition: number
  /** The offset that the record is meant to get, where the note says so. */
  readonly offset: number | undefined
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly timestamp: number
  readonly headers?: Headers
}

const NONE = '∅'
const NOTE = /^(?:p(?<partition>\d+)(?:\/(?<offset>\d+))? )?(?<body>.*?)(?: @(?<time>-?\d+))?$/s

/**
 * Reads `p0/3 a→1 @1000`: partition 0, offset 3, key `a`, value `1`, timestamp 1000. Without a partition it is 0, without
 * a time 0, without an arrow the body is the key of a record with value `1`. `∅` is a null key or value.
 */
export function noted(note: string): NotedRecord {
  const { partition = '0', offset, body = '', time = '0' } = NOTE.exec(note)?.groups ?? {}
  const [key = NONE, value = '1'] = body.split('→')
  return {
    partition: Number(partition),
    offset: offset === undefined ? undefined : Number(offset),
    key: bytes(key),
    value: bytes(value),
    timestamp: Number(time),
  }
}

/** The other way round, without partition and offset: `a→1 @1000`. */
export function note(key: Uint8Array | null, value: Uint8Array | null, timestamp: number): string {
  return `${text(key)}→${text(value)} @${timestamp}`
}

function bytes(text: string): Buffer | null {
  return text === NONE ? null : Buffer.from(text)
}

function text(bytes: Uint8Array | null): string {
  return bytes === null ? NONE : Buffer.from(bytes).toString()
}
