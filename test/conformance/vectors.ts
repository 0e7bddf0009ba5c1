import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One record as a vector writes it. */
export interface VectorRecord {
  readonly topic: string
  readonly key: unknown
  readonly value: unknown
  readonly timestamp: number
  readonly headers?: readonly (readonly [name: string, text: string])[]
}

/** A row of a store: key, value, and for window stores start and end. */
export type VectorRow = readonly unknown[]

/** One case: what Kafka Streams made of some input. */
export interface VectorCase {
  readonly seed: number
  readonly input: readonly VectorRecord[]
  readonly output: readonly VectorRecord[]
  readonly outputsPerInput: readonly number[]
  readonly stores: Readonly<Record<string, readonly VectorRow[]>>
  readonly dropped: number
  readonly failedAt?: number
}

interface VectorFile {
  readonly topology: string
  readonly cases: readonly VectorCase[]
}

/** Where the vectors are: TIDEMARK_VECTORS, or beside the project. */
export const VECTORS_FOLDER = resolve(
  process.env.TIDEMARK_VECTORS ?? fileURLToPath(new URL('../../../shared/conformance/vectors', import.meta.url)),
)

/** The ids of the topologies that have vectors, sorted; undefined where there is no folder. */
export function vectorIds(): readonly string[] | undefined {
  if (!existsSync(VECTORS_FOLDER)) return undefined
  const files = readdirSync(VECTORS_FOLDER).filter((name) => name.endsWith('.json'))
  return files.map((name) => name.slice(0, -'.json'.length)).sort()
}

export function vectorCases(id: string): readonly VectorCase[] {
  return (JSON.parse(readFileSync(resolve(VECTORS_FOLDER, `${id}.json`), 'utf8')) as VectorFile).cases
}
