import type { Headers } from '../../core/headers.ts'
import { parseFineIsoTime } from '../../planner/iso-time.ts'
import type { TimestampExtractor } from '../../topology/topic-spec.ts'

/** What an extractor may look at. */
export interface TimedRecord {
  readonly key: unknown
  readonly value: unknown
  readonly timestamp: number
  readonly headers: Headers
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

/** True where the extractor looks at the decoded value (and a function extractor at the key too). */
export function readsRecord(extractor: TimestampExtractor): boolean {
  return extractor.from === 'field' || extractor.from === 'function'
}

/** True for a time that a record can have: whole milliseconds from 1970 on. */
export function isEventTime(time: number): boolean {
  return time >= 0 && Number.isSafeInteger(time)
}

/**
 * The event time of a record in epoch ms; what `isEventTime` refuses where it has none.
 * `partitionTime` is the greatest valid time seen in its partition, -1 before the first; `now` the run's recorded clock.
 */
export function eventTime(
  extractor: TimestampExtractor,
  record: TimedRecord,
  partitionTime: number,
  now: number,
): number {
  switch (extractor.from) {
    case 'record':
      return record.timestamp
    case 'wall-clock':
      return now
    case 'field':
      return fieldTime(record.value, extractor.field)
    case 'function':
      return extractor.extract(record, partitionTime)
  }
}

/** A field that holds epoch milliseconds, or an ISO 8601 text, read as UTC where it names no zone. */
function fieldTime(value: unknown, field: string): number {
  if (typeof value !== 'object' || value === null) return Number.NaN
  const time = (value as Record<string, unknown>)[field]
  if (typeof time === 'number') return time
  if (typeof time === 'bigint') return Number(time)
  if (typeof time === 'string') return parseFineIsoTime(time) ?? Number.NaN
  return Number.NaN
}
