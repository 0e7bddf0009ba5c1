import { readFileSync } from 'node:fs'
import type { CodecName } from '../../../src/wire/codec.ts'

interface JavaRecord {
  readonly offset: number
  readonly timestamp: number
  readonly key: string | null
  readonly value: string | null
  readonly headers: readonly (readonly [string, string | null])[]
}

/** A batch that the Java client wrote, and what the Java client reads in it. Made by test/fixtures/wire/java. */
export interface JavaBatch {
  readonly name: string
  readonly magic: number
  /** Absent for the old message formats. */
  readonly header?: Readonly<Record<string, string | number | boolean>>
  readonly records: readonly JavaRecord[]
  readonly bytes: Buffer
}

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/wire/${name}`, import.meta.url), 'utf8'))
}

export const JAVA_BATCHES: readonly JavaBatch[] = (
  fixture('batches.json') as (Omit<JavaBatch, 'bytes'> & { bytes: string })[]
).map((batch) => ({ ...batch, bytes: Buffer.from(batch.bytes, 'base64') }))

export function javaBatch(name: string): JavaBatch {
  const batch = JAVA_BATCHES.find((candidate) => candidate.name === name)
  if (batch === undefined) throw new Error(`there is no fixture ${name}`)
  return batch
}

/** What the Java client's functions answer. */
export const JAVA_VECTORS = fixture('vectors.json') as {
  /** Key in hexadecimal, hash, partition of 12. */
  readonly murmur2: readonly (readonly [string, number, number])[]
  /** Number, bytes in hexadecimal. */
  readonly varint: readonly (readonly [string, string])[]
  readonly varlong: readonly (readonly [string, string])[]
  /** Codec, what is special, frame in base64, and the text that is in it so many times. */
  readonly frames: readonly (readonly [CodecName, string, string, string, number])[]
}
