import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type ByteString, type Bytes, utf8ByteString } from '../../core/bytes.ts'
import { isTidemarkError } from '../../core/errors.ts'
import { badData, formatBytes } from '../bad-data.ts'
import type { Serde } from '../serde.ts'
import { decodeUtf8, decodeUtf8Key, encodeUtf8Bytes } from '../utf8.ts'
import { FieldReader, WHOLE } from './read-fields.ts'
import { readJson } from './read-json.ts'
import { validated } from './validated.ts'
import { writeJson } from './write-json.ts'

export interface JsonOptions {
  /** Integers outside the safe range are read as bigint, and bigints are written as their digits. */
  readonly bigints?: boolean
  /** The text `null` is read as null, as if the record had no value. Without it, it is BAD_DATA. */
  readonly allowNull?: boolean
  /**
   * Only these fields of an object are read; the others are passed over without a look into them, which takes a fraction of
   * the time. `T` then has these fields alone. What is written is written whole.
   */
  readonly fields?: readonly string[]
  /** Checks every value that is read, with any library that speaks Standard Schema. The value is what it gives back. */
  readonly schema?: StandardSchemaV1
}

/**
 * Compact JSON in UTF-8. `T` is promised by the caller, or inferred from a schema. BAD_DATA with a hint: what is not JSON,
 * no bytes at all, the text `null`, and an integer that a number would round.
 */
export function json<S extends StandardSchemaV1>(
  options: JsonOptions & { readonly schema: S; readonly allowNull: true },
): Serde<StandardSchemaV1.InferOutput<S> | null>
export function json<S extends StandardSchemaV1>(
  options: JsonOptions & { readonly schema: S },
): Serde<StandardSchemaV1.InferOutput<S>>
export function json<T>(options: JsonOptions & { readonly allowNull: true }): Serde<T | null>
export function json<T>(options?: JsonOptions): Serde<T>
export function json(options: JsonOptions = {}): Serde<unknown> {
  const { bigints = false, allowNull = false, schema, fields } = options
  if (schema !== undefined || fields !== undefined) return jsonSerde(options)
  const kind = `${bigints} ${allowNull}`
  const serde = SERDES.get(kind) ?? jsonSerde(options)
  SERDES.set(kind, serde)
  return serde
}

/** One serde for each kind without a schema, so that equal serdes are the same object. */
const SERDES = new Map<string, Serde<unknown>>()

function jsonSerde({ bigints = false, allowNull = false, schema, fields }: JsonOptions): Serde<unknown> {
  const write = (value: unknown): string => {
    const text = writeJson(value, bigints)
    if (text === 'null' && !allowNull) throw notNull('written')
    return text
  }
  const checked = (value: unknown): unknown => {
    if (value === null) {
      if (allowNull) return null
      throw notNull('read')
    }
    return schema === undefined ? value : validated(schema, value)
  }
  const read = (text: string): unknown => checked(someOf(fields, readJson(text, bigints)))
  const reader = fields === undefined ? null : fieldReader(fields, bigints)
  return Object.freeze({
    format: 'json',
    encode: (value: unknown) => Buffer.from(write(value), 'utf8'),
    encodeBytes: (value: unknown): Bytes => encodeUtf8Bytes(write(value)),
    encodeKey: (value: unknown): ByteString => utf8ByteString(write(value)),
    decode(bytes: Uint8Array, start: number, end: number): unknown {
      try {
        const some = reader === null ? WHOLE : fieldsOf(reader, bytes, start, end)
        return some === WHOLE ? read(decodeUtf8(bytes, start, end)) : checked(some)
      } catch (error) {
        throw isTidemarkError(error) ? error : notJson(bytes, start, end, error)
      }
    },
    decodeKey(bytes: ByteString): unknown {
      try {
        return read(decodeUtf8Key(bytes))
      } catch (error) {
        throw isTidemarkError(error) ? error : notJson(Buffer.from(bytes, 'latin1'), 0, bytes.length, error)
      }
    },
  })
}

/** What a name may be made of to be looked for among bytes. */
const PLAIN_NAME = /^[ !#-[\]-~]*$/

/** Null where a name has to be looked for in the parsed value. */
function fieldReader(fields: readonly string[], bigints: boolean): FieldReader | null {
  if (!fields.every((name) => PLAIN_NAME.test(name) && name !== '__proto__')) return null
  return new FieldReader(fields, (bytes, start, end) => readJson(decodeUtf8(bytes, start, end), bigints))
}

/** What is wrong with a part is told of the whole. */
function fieldsOf(reader: FieldReader, bytes: Uint8Array, start: number, end: number): ReturnType<FieldReader['read']> {
  try {
    return reader.read(bytes, start, end)
  } catch (error) {
    if (error instanceof SyntaxError) return WHOLE
    throw error
  }
}

/** An object with these fields of another; what is no object stays what it is. */
function someOf(fields: readonly string[] | undefined, value: unknown): unknown {
  if (fields === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)))
}

function notNull(done: 'read' | 'written'): Error {
  return badData(
    `the JSON text null was ${done}`,
    'A delete is a record without a value. If the topic means null, declare json({ allowNull: true }).',
  )
}

function notJson(bytes: Uint8Array, start: number, end: number, cause: unknown): Error {
  if (start === end) {
    return badData('there is no JSON in 0 bytes', 'A delete is a record without a value, not one with an empty one.')
  }
  const shown = formatBytes(bytes, start, end)
  if (bytes[start] === 0 && end - start >= 5) {
    return badData(
      `the bytes ${shown} are not JSON`,
      'They look framed by a schema registry (00 and a schema id): read them with serde({ format, encode, decode }).',
    )
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  return badData(`the bytes ${shown} are not JSON: ${reason}`, 'Look at the record, or skip it by policy.', cause)
}
