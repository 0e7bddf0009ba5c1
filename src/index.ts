export type { Duration } from './core/duration.ts'
export type { ErrorCode } from './core/error-codes.ts'
export { TidemarkError } from './core/errors.ts'
export type { Header, Headers } from './core/headers.ts'
export type { Hook } from './core/hook.ts'
export type { Windowed } from './core/windowed.ts'
export type { AggregateSpec, MergeableSpec, ReadySpec, UndoableSpec } from './dsl/aggregate-spec.ts'
export { type ApproxDistinctOptions, approxDistinctCount } from './dsl/aggregates/approx-distinct-count.ts'
export { type ApproxQuantilesOptions, approxQuantiles } from './dsl/aggregates/approx-quantiles.ts'
export { type CollectOptions, collect } from './dsl/aggregates/collect.ts'
export { count } from './dsl/aggregates/count.ts'
export { type Distinguishable, distinctCount } from './dsl/aggregates/distinct-count.ts'
export { first } from './dsl/aggregates/first.ts'
export { last } from './dsl/aggregates/last.ts'
export { max } from './dsl/aggregates/max.ts'
export { mean } from './dsl/aggregates/mean.ts'
export { min } from './dsl/aggregates/min.ts'
export { sum } from './dsl/aggregates/sum.ts'
export { topK } from './dsl/aggregates/top-k.ts'
export { type VarianceOptions, variance } from './dsl/aggregates/variance.ts'
export type { BranchedKStream } from './dsl/branched-kstream.ts'
export { type CalendarOptions, calendar } from './dsl/calendar.ts'
export type { CogroupSpec, MergeableCogroupSpec } from './dsl/cogroup-spec.ts'
export type { CogroupedKStream } from './dsl/cogrouped-kstream.ts'
export type { GlobalKTable } from './dsl/global-ktable.ts'
export { hopping } from './dsl/hopping.ts'
export { job } from './dsl/job.ts'
export type { JobBuilder, VersionedOptions } from './dsl/job-builder.ts'
export type { GraceJoinOptions, JoinedSerdesFor } from './dsl/join-serdes.ts'
export { type JoinWindowOptions, joinWindows } from './dsl/join-windows.ts'
export type { KGroupedStream } from './dsl/kgrouped-stream.ts'
export type { KGroupedTable } from './dsl/kgrouped-table.ts'
export type { KStream } from './dsl/kstream.ts'
export type { JoinableTable, KTable, LookupTable, TableRows, TableSinkOptions, VersionedTable } from './dsl/ktable.ts'
export type { StoreSpec, StoreSpecs } from './dsl/processor/store-spec.ts'
export {
  keyValueStore,
  sessionStore,
  timestampedKeyValueStore,
  timestampedWindowStore,
  versionedStore,
  type WindowStoreOptions,
  windowStore,
} from './dsl/processor/store-specs.ts'
export type { SerdeFor, SerdeKnown } from './dsl/serde-known.ts'
export { session } from './dsl/session.ts'
export type { SessionWindowedCogroup } from './dsl/session-windowed-cogroup.ts'
export type { SessionWindowedKStream } from './dsl/session-windowed-kstream.ts'
export { sliding } from './dsl/sliding.ts'
export {
  type BufferBounds,
  type TimeLimitOptions,
  type UntilTimeLimit,
  type UntilWindowCloses,
  untilTimeLimit,
  untilWindowCloses,
} from './dsl/suppressed.ts'
export type { TimeWindowedCogroup } from './dsl/time-windowed-cogroup.ts'
export type { TimeWindowedKStream } from './dsl/time-windowed-kstream.ts'
export type { WindowOptions } from './dsl/time-windows.ts'
export { type SinkTopic, type TimestampOption, type Topic, type TopicOptions, topic } from './dsl/topic.ts'
export { tumbling } from './dsl/tumbling.ts'
export type { WindowedKTable } from './dsl/windowed-ktable.ts'
export type { WindowedOptions } from './dsl/windowed-step.ts'
export { bytes } from './serde/bytes.ts'
export { int64 } from './serde/int64.ts'
export { type JsonOptions, json } from './serde/json/json.ts'
export type { Serde, SerdeValue } from './serde/serde.ts'
export { string } from './serde/string.ts'
export { type SerdeOptions, serde } from './serde/user-serde.ts'
export { calendarWindowed } from './serde/windowed/calendar-windowed.ts'
export { sessionWindowed } from './serde/windowed/session-windowed.ts'
export { timeWindowed } from './serde/windowed/time-windowed.ts'
export type { BadDataPolicy, Job, JobOptions } from './topology/job.ts'
export type { JoinWindows } from './topology/join-windows.ts'
export type {
  Cancellable,
  Forward,
  ForwardedRecord,
  ForwardValue,
  ProcessedRecord,
  ProcessorContext,
} from './topology/processor/context.ts'
export type {
  KeyValueStore,
  SessionStore,
  TimestampedKeyValueStore,
  TimestampedWindowStore,
  ValueAndTimestamp,
  VersionedStore,
  WindowStore,
} from './topology/processor/stores.ts'
export type { RecordMetadata } from './topology/record-metadata.ts'
export type { OverlapPolicy, ScheduleOptions } from './topology/schedule-settings.ts'
export type { ExtractedRecord, InvalidTimestampPolicy } from './topology/topic-spec.ts'
export type {
  CalendarUnit,
  CalendarWindows,
  SessionWindows,
  SlidingWindows,
  TimeWindows,
  WindowSpec,
} from './topology/windows.ts'
