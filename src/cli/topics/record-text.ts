import { isUtf8 } from 'node:buffer'
import type { Headers } from '../../core/headers.ts'
import type { RecordCursor } from '../../wire/record-cursor.ts'
import { isoTime } from '../output/words.ts'

/** Bytes as people and JSON can have them: nothing is lost, whatever they are. */
export type BytesText =
  | { readonly kind: 'null' }
  /** `text` is valid JSON. */
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'base64'; readonly text: string }

/** The key of the record under the cursor: text where it is UTF-8. */
export function keyText(cursor: RecordCursor): BytesText {
  return bytesText(cursor.bytes, cursor.keyStart, cursor.keyEnd)
}

/** The value of the record under the cursor: JSON where it is that. */
export function valueText(cursor: RecordCursor): BytesText {
  const read = bytesText(cursor.bytes, cursor.valueStart, cursor.valueEnd)
  return read.kind === 'text' && isJson(read.text) ? { kind: 'json', text: read.text } : read
}

/**
 * The record under the cursor as one line of JSON without its end. Its value stands there as it is where it is JSON
 * (`value`), else as text (`valueText`) or in base64 (`valueBase64`); the key likewise, as `key` or `keyBase64`.
 */
export function recordLine(cursor: RecordCursor, partition: number): string {
  const place = `"partition":${partition},"offset":${cursor.offset},"timestamp":${JSON.stringify(isoTime(cursor.timestamp))}`
  const headers = cursor.headers()
  const shown = headers.length === 0 ? '' : `,"headers":${JSON.stringify(headersAsData(headers))}`
  return `{${place},${keyMember(keyText(cursor))}${shown},${valueMember(valueText(cursor))}}`
}

/** A JSON value on one line: ends of lines can only stand between its tokens. */
export function onOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ')
}

function keyMember(key: BytesText): string {
  if (key.kind === 'null') return '"key":null'
  return key.kind === 'base64' ? `"keyBase64":"${key.text}"` : `"key":${JSON.stringify(key.text)}`
}

function valueMember(value: BytesText): string {
  switch (value.kind) {
    case 'null':
      return '"value":null'
    case 'json':
      return `"value":${onOneLine(value.text)}`
    case 'text':
      return `"valueText":${JSON.stringify(value.text)}`
    case 'base64':
      return `"valueBase64":"${value.text}"`
  }
}

function headersAsData(headers: Headers): unknown {
  return headers.map(([name, value]) => {
    const read: BytesText = value === null ? { kind: 'null' } : bytesText(Buffer.from(value), 0, value.length)
    if (read.kind === 'null') return [name, null]
    return [name, read.kind === 'base64' ? { base64: read.text } : read.text]
  })
}

function bytesText(bytes: Buffer, start: number, end: number): BytesText {
  if (start < 0) return { kind: 'null' }
  const view = bytes.subarray(start, end)
  return isUtf8(view) ? { kind: 'text', text: view.utf8Slice() } : { kind: 'base64', text: view.toString('base64') }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
