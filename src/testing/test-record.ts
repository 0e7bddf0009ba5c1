import type { Headers } from '../core/headers.ts'

/** A record as a test pipes it. */
export interface PipedRecord<K, V> {
  readonly key: K | null
  /** Null for a tombstone. */
  readonly value: V | null
  /** Epoch ms. Default: the driver's clock. */
  readonly timestamp?: number
  readonly headers?: Headers
  /** Default: where Kafka's default partitioner puts the key; without a key, partition 0. */
  readonly partition?: number
}

/** A record as a test reads it. */
export interface ReadRecord<K, V> {
  readonly key: K | null
  readonly value: V | null
  readonly timestamp: number
  readonly headers: Headers
  readonly partition: number
  readonly offset: number
}
