import { asBuffer } from '../core/bytes.ts'
import type { Header, Headers } from '../core/headers.ts'
import { readVarint, writeVarint, zigzagSize } from './varint.ts'

/**
 * Reads `count` headers from the bytes `[start, end)`, which must hold them exactly. Values are views of `bytes`; names
 * are UTF-8. Throws a plain Error: the caller knows the record.
 */
export function readHeaders(bytes: Buffer, start: number, end: number, count: number): Headers {
  const headers: Header[] = []
  const at = { position: start }
  for (let i = 0; i < count; i++) {
    const nameLength = readVarint(bytes, at, end)
    const nameStart = at.position
    if (nameLength < 0 || nameLength > end - nameStart) throw new Error('a header name does not fit')
    at.position += nameLength
    const valueLength = readVarint(bytes, at, end)
    const valueStart = at.position
    if (valueLength > end - valueStart) throw new Error('a header value does not fit')
    if (valueLength > 0) at.position += valueLength
    const value = valueLength < 0 ? null : bytes.subarray(valueStart, at.position)
    headers.push([bytes.utf8Slice(nameStart, nameStart + nameLength), value])
  }
  if (at.position !== end) throw new Error('bytes are left after the last header')
  return headers
}

/** Bytes that the headers take in a record, their count included. */
export function headersSize(headers: Headers): number {
  let size = zigzagSize(headers.length)
  for (const [name, value] of headers) {
    const nameBytes = Buffer.byteLength(name, 'utf8')
    size += zigzagSize(nameBytes) + nameBytes
    size += value === null ? 1 : zigzagSize(value.length) + value.length
  }
  return size
}

/** Writes the headers and their count at `position`, where there is room; gives the position after them. */
export function writeHeaders(bytes: Buffer, position: number, headers: Headers): number {
  let next = writeVarint(bytes, position, headers.length)
  for (const [name, value] of headers) {
    next = writeVarint(bytes, next, Buffer.byteLength(name, 'utf8'))
    next += bytes.write(name, next, 'utf8')
    next = writeVarint(bytes, next, value === null ? -1 : value.length)
    if (value !== null) next += asBuffer(value).copy(bytes, next)
  }
  return next
}
