import { asBuffer } from '../core/bytes.ts'
import type { Headers } from '../core/headers.ts'
import type { Serde } from './serde.ts'

/** A change that a suppression holds back. Values are null where there is none. */
export interface Suppressed {
  readonly value: unknown
  /** The value before the change. */
  readonly old: unknown
  /** The value before the first change that is held back: what the table still shows. */
  readonly prior: unknown
  readonly headers: Headers
}

/** A change as parts that each have their length before them, -1 for null: value, old, prior, then headers by name and value. */
export function suppressedSerde(values: Serde<unknown>): Serde<Suppressed> {
  const encoded = (value: unknown) => (value === null || value === undefined ? null : values.encode(value))
  return Object.freeze({
    format: `suppressed@1(${values.format})`,
    encode({ value, old, prior, headers }: Suppressed): Uint8Array {
      const parts: (Uint8Array | null)[] = [encoded(value), encoded(old), encoded(prior)]
      for (const [name, bytes] of headers) parts.push(Buffer.from(name, 'utf8'), bytes)
      const result = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + 4 + (part?.length ?? 0), 0))
      let at = 0
      for (const part of parts) {
        at = result.writeInt32BE(part?.length ?? -1, at)
        if (part === null) continue
        result.set(part, at)
        at += part.length
      }
      return result
    },
    decode(bytes: Uint8Array, start: number, end: number): Suppressed {
      const buffer = asBuffer(bytes)
      let at = start
      /** The next part's bounds; a start of -1 for null. */
      const next = (): readonly [number, number] => {
        const length = buffer.readInt32BE(at)
        const from = at + 4
        at = from + Math.max(0, length)
        return length < 0 ? [-1, -1] : [from, at]
      }
      const decoded = (): unknown => {
        const [from, to] = next()
        return from < 0 ? null : values.decode(bytes, from, to)
      }
      const [value, old, prior] = [decoded(), decoded(), decoded()]
      const headers: [string, Uint8Array | null][] = []
      while (at < end) {
        const [from, to] = next()
        const [valueFrom, valueTo] = next()
        const header = valueFrom < 0 ? null : new Uint8Array(bytes.subarray(valueFrom, valueTo))
        headers.push([buffer.utf8Slice(from, to), header])
      }
      return { value, old, prior, headers }
    },
  })
}
