import { AT, ATTRIBUTE } from './batch-layout.ts'
import { CODECS } from './codecs.ts'

/** What is known, as long as somebody has the batch. */
const PLAIN = new WeakMap<Uint8Array, Buffer>()

/** The plain records of a compressed batch, where they were made ahead. */
export function plainRecords(batch: Uint8Array): Buffer | undefined {
  return PLAIN.get(batch)
}

/**
 * About how many bytes the records of a batch take when they are plain, where they can be made ahead; else 0. Neither checksum nor
 * header is looked at: damage is found when the batch is opened.
 */
export function plainAheadBytes(batch: Buffer): number {
  return ahead(batch)?.plainBytes(batch.subarray(AT.records)) ?? 0
}

/**
 * Decompresses batches of one codec on another thread: who opens them then finds it done. Whatever goes wrong with that is left to
 * them. Never throws.
 */
export async function makePlainAhead(batches: readonly Buffer[]): Promise<void> {
  const [first] = batches
  const codec = first && ahead(first)
  if (codec === undefined) return
  try {
    const plain = await codec.decompress(batches.map((batch) => batch.subarray(AT.records)))
    for (const [index, batch] of batches.entries()) {
      const records = plain[index]
      if (records !== undefined) PLAIN.set(batch, records)
    }
  } catch {} // opening the batch says what is wrong, and where
}

function ahead(batch: Buffer) {
  if (batch.length <= AT.records) return undefined
  return CODECS[batch.readUInt16BE(AT.attributes) & ATTRIBUTE.codec]?.ahead
}
