import { badData } from './bad-data.ts'
import type { Serde } from './serde.ts'
import { decodeUtf8, decodeUtf8Key, encodeUtf8, encodeUtf8Bytes, encodeUtf8Key } from './utf8.ts'

const STRING: Serde<string> = Object.freeze({
  format: 'string',
  encode: (value: string) => encodeUtf8(asText(value)),
  encodeBytes: (value: string) => encodeUtf8Bytes(asText(value)),
  decode: decodeUtf8,
  encodeKey: (value: string) => encodeUtf8Key(asText(value)),
  decodeKey: decodeUtf8Key,
})

/** Text as UTF-8, as Kafka's string serde writes it. Malformed bytes are BAD_DATA; nothing is normalised. */
export function string(): Serde<string> {
  return STRING
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  throw badData(
    `string() cannot write ${value === null ? 'null' : `a value of type ${typeof value}`}`,
    'Give a text, or choose the serde of that type: json(), int64(), bytes().',
  )
}
