import type { Digest } from './digest.ts'

/** How much of a value is looked at: enough to tell updates apart, and no more for a long list than for a short one. */
const MOST_DEPTH = 3
const MOST_ITEMS = 4
const MOST_BYTES = 64

/**
 * Digests a decoded value as far as it is cheap: numbers, texts, flags, and what plain objects and the ends of lists hold of
 * them. What a serde writes and reads again counts alike before and after; what only a serde understands is passed over.
 */
export function digestValue(digest: Digest, value: unknown, depth = 0): void {
  switch (typeof value) {
    case 'number':
      digest.number(value === 0 ? 0 : value) // there is a negative one, which JSON does not keep
      break
    case 'string':
      digest.text(value)
      break
    case 'boolean':
      digest.number(value ? 1 : 2)
      break
    case 'bigint':
      digest.text(value.toString())
      break
    case 'object':
      if (value !== null && depth < MOST_DEPTH) digestObject(digest, value, depth)
      break
    default: // undefined, which no serde writes; functions and symbols
  }
}

function digestObject(digest: Digest, value: object, depth: number): void {
  if (Array.isArray(value)) {
    digest.number(value.length)
    for (let at = Math.max(0, value.length - MOST_ITEMS); at < value.length; at++) {
      digestValue(digest, value[at], depth + 1)
    }
  } else if (value instanceof Uint8Array) {
    digest.number(value.length)
    digest.bytes(value.length > MOST_BYTES ? value.subarray(0, MOST_BYTES) : value)
  } else if (Object.getPrototypeOf(value) === Object.prototype) {
    const fields = value as Record<string, unknown>
    for (const name in fields) digestValue(digest, fields[name], depth + 1)
  }
}
