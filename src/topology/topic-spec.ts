import type { Headers } from '../core/headers.ts'
import type { Serde } from '../serde/serde.ts'

/** What a function extractor sees of a record. `value` is null for a tombstone. */
export interface ExtractedRecord<K, V> {
  readonly key: K | null
  readonly value: V | null
  /** The record's own timestamp, epoch ms. */
  readonly timestamp: number
  readonly headers: Headers
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

/** Where event time comes from. A result that is not a number of 0 or more is invalid. */
export type TimestampExtractor =
  | { readonly from: 'record' }
  | { readonly from: 'field'; readonly field: string }
  | { readonly from: 'wall-clock' }
  | {
      readonly from: 'function'
      // biome-ignore lint/suspicious/noExplicitAny: the topic's type parameters check it where it is declared
      readonly extract: (record: ExtractedRecord<any, any>, partitionTime: number) => number
    }

/** `partition-time`: the greatest valid timestamp seen in the partition; where none is known yet the run fails. */
export type InvalidTimestampPolicy = 'fail' | 'skip' | 'partition-time'

/** A topic with its serdes, as data. */
export interface TopicSpec {
  readonly name: string
  readonly key: Serde<unknown>
  readonly value: Serde<unknown>
  /** Whether a stream of it carries records without key, without value; where not they are skipped and counted. */
  readonly nullKey: boolean
  readonly nullValue: boolean
  readonly timestamp: TimestampExtractor
  readonly onInvalidTimestamp: InvalidTimestampPolicy
}
