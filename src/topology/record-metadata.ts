import type { Headers } from '../core/headers.ts'

/** Where a record comes from. While a range's end or a punctuation fires: an empty topic, partition and offset -1. */
export interface RecordMetadata {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  /** Event time, epoch ms. */
  readonly timestamp: number
  readonly headers: Headers
}
