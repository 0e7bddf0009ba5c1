import type { Serde } from '../serde/serde.ts'
import { checkedName } from '../topology/names.ts'
import type { ExtractedRecord, InvalidTimestampPolicy, TimestampExtractor, TopicSpec } from '../topology/topic-spec.ts'
import { checkTopicOptions } from './topic-options.ts'
import { whereOfCall } from './where-of-call.ts'

/** What may be sent to a topic. */
export interface SinkTopic<in K, in V> extends TopicSpec {
  readonly [accepts]: (key: K, value: V) => void
}
// No topic has these properties: they carry its types.
declare const accepts: unique symbol
declare const holds: unique symbol

/** A topic whose records have keys `K` and values `V`, with null where it may hold records without. */
export interface Topic<K, V> extends SinkTopic<K, V> {
  readonly [holds]: readonly [key: K, value: V]
}

/** The fields of `V` that can hold a time: epoch ms, or an ISO text, which is UTC where it names no zone. */
type TimeField<V> = V extends object
  ? { [Field in keyof V & string]: Extract<V[Field], number | bigint | string> extends never ? never : Field }[keyof V &
      string]
  : never

/** Where event time comes from: the record's own timestamp, the run's clock, a field, or a function. */
export type TimestampOption<K, V> =
  | 'record'
  | 'wall-clock'
  | { readonly field: TimeField<V> }
  | ((record: ExtractedRecord<K, V>, partitionTime: number) => number)

export interface TopicOptions<K, V, NullKey extends boolean, NullValue extends boolean> {
  readonly key: Serde<K>
  readonly value: Serde<V>
  /** Streams of it carry records without key; otherwise those are skipped and counted. */
  readonly nullKey?: NullKey
  /** Streams of it carry records without value; otherwise those are skipped and counted. */
  readonly nullValue?: NullValue
  /** Default: the record's own timestamp. */
  readonly timestamp?: TimestampOption<NoInfer<K>, NoInfer<V>>
  /** A time that is not whole milliseconds from 1970 on: `fail` (default), `skip` the record, or take the `partition-time`. */
  readonly onInvalidTimestamp?: InvalidTimestampPolicy
}

/** Declares a topic. Throws JOB_INVALID for a name that a topic cannot have. */
export function topic<K, V, NullKey extends boolean = false, NullValue extends boolean = false>(
  name: string,
  options: TopicOptions<K, V, NullKey, NullValue>,
): Topic<NullKey extends true ? K | null : K, NullValue extends true ? V | null : V> {
  // The type parameters of a topic are types alone.
  return topicSpec(name, options) as Topic<NullKey extends true ? K | null : K, NullValue extends true ? V | null : V>
}

function topicSpec<K, V>(name: string, options: TopicOptions<K, V, boolean, boolean>): TopicSpec {
  checkTopicOptions(name, options, whereOfCall())
  const { key, value, nullKey = false, nullValue = false, timestamp = 'record', onInvalidTimestamp = 'fail' } = options
  return Object.freeze({
    name: checkedName(name, 'a topic', whereOfCall()),
    key,
    value,
    nullKey,
    nullValue,
    timestamp: extractor(timestamp),
    onInvalidTimestamp,
  })
}

function extractor<K, V>(timestamp: TimestampOption<K, V>): TimestampExtractor {
  if (typeof timestamp === 'string') return Object.freeze({ from: timestamp })
  if (typeof timestamp === 'function') return Object.freeze({ from: 'function', extract: timestamp })
  return Object.freeze({ from: 'field', field: timestamp.field })
}
