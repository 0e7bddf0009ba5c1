import { asBuffer, toByteString } from '../../core/bytes.ts'
import type { Serde } from '../../serde/serde.ts'
import { crc32c } from '../../wire/crc32c.ts'
import { murmur2 } from '../../wire/murmur2.ts'
import type { Step } from '../step.ts'

/** Tells a value from others by 64 bits of its bytes, in 16 hexadecimal digits; null for null. */
export function valueHashOf(node: number, { context }: Step, serde: Serde<unknown>): (value: unknown) => string | null {
  const { running } = context
  return (value) => {
    if (value === null) return null
    running.step = node
    const bytes = serde.encode(value)
    running.step = -1
    return hex(crc32c(asBuffer(bytes), 0, bytes.length)) + hex(murmur2(toByteString(bytes)))
  }
}

function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(8, '0')
}
