import { asBuffer } from '../../core/bytes.ts'
import { badData } from '../../serde/bad-data.ts'
import type { Serde } from '../../serde/serde.ts'

const HASH_BYTES = 6

const HASHES: Serde<readonly number[]> = Object.freeze({
  format: 'hashes48',
  encode(hashes: readonly number[]): Uint8Array {
    const bytes = Buffer.allocUnsafe(hashes.length * HASH_BYTES)
    for (const [at, hash] of hashes.entries()) bytes.writeUIntBE(hash, at * HASH_BYTES, HASH_BYTES)
    return bytes
  },
  decode(bytes: Uint8Array, start: number, end: number): readonly number[] {
    if ((end - start) % HASH_BYTES !== 0) {
      throw badData(`${end - start} bytes are no list of hashes`, 'The state was written by something else.')
    }
    const buffer = asBuffer(bytes)
    return Array.from({ length: (end - start) / HASH_BYTES }, (_, at) =>
      buffer.readUIntBE(start + at * HASH_BYTES, HASH_BYTES),
    )
  },
})

/** Whole numbers of 48 bits, six bytes each. */
export function hashesSerde(): Serde<readonly number[]> {
  return HASHES
}
