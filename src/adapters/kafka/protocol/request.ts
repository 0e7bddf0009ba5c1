import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Numbers of the requests that are encoded here. */
export const API = {
  produce: 0,
  fetch: 1,
  listOffsets: 2,
  metadata: 3,
  findCoordinator: 10,
  createTopics: 19,
  deleteTopics: 20,
  deleteRecords: 21,
  initProducerId: 22,
  addPartitionsToTxn: 24,
  endTxn: 26,
  describeConfigs: 32,
  createPartitions: 37,
  incrementalAlterConfigs: 44,
} as const

/** A request in one flexible version, and how its answer reads. */
export interface ApiRequest<T> {
  readonly name: string
  readonly key: number
  readonly version: number
  write(to: ByteWriter): void
  /** The answer behind its header. */
  read(from: ByteReader): Answer<T>
}

/** An answer, and for how long its broker wants no request on this connection. */
export interface Answer<T> {
  readonly throttleMs: number
  readonly value: T
}
