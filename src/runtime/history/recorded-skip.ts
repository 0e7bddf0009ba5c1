import type { LeftOutRecord } from '../../core/checkpoint.ts'
import { type RecordSkip, recordKey } from '../input/input-source.ts'

/** A record that an earlier run has left out, under its record key, as one to leave out again. */
export function recordedSkip(record: LeftOutRecord): readonly [string, RecordSkip] {
  const { topic, partition, offset, reason, action } = record
  return [recordKey(topic, partition, offset), { reason, action, error: null }]
}
