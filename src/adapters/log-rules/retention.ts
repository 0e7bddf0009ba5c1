import { isDeleted, numberSetting, type TopicSettings } from './topic-settings.ts'

/** What retention looks at of one batch. */
export interface BatchExtent {
  readonly nextOffset: number
  readonly maxTimestamp: number
  readonly bytes: number
}

/**
 * Where retention moves a log start to. As in Kafka, with batches in place of segments: from the oldest on, batches go
 * whose greatest timestamp is older than `retention.ms`, then those without which `retention.bytes` are still there.
 */
export function retentionOffset(
  batches: Iterable<BatchExtent>,
  totalBytes: number,
  logStart: number,
  settings: TopicSettings,
  nowMs: number,
): number {
  if (!isDeleted(settings)) return logStart
  const keepMs = numberSetting(settings, 'retention.ms')
  const keepBytes = numberSetting(settings, 'retention.bytes')
  let offset = logStart
  let left = totalBytes
  for (const batch of batches) {
    const expired = keepMs >= 0 && batch.maxTimestamp < nowMs - keepMs
    const surplus = keepBytes >= 0 && left - batch.bytes >= keepBytes
    if (!expired && !surplus) return offset
    left -= batch.bytes
    offset = Math.max(offset, batch.nextOffset)
  }
  return offset
}
