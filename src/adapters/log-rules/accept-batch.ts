import { asBuffer } from '../../core/bytes.ts'
import type { TopicPartition } from '../../core/offsets.ts'
import type { StagedBatch } from '../../ports/log.ts'
import { AT } from '../../wire/batch-layout.ts'
import { readCheckedHeader } from '../../wire/checked-header.ts'
import { RecordCursor } from '../../wire/record-cursor.ts'
import { corruptBatch } from '../../wire/wire-error.ts'
import { noSuchPartition, noSuchTopic, recordTooLarge, recordWithoutKey } from './output-errors.ts'
import { isCompacted, numberSetting, type TopicSettings } from './topic-settings.ts'

/** What a log takes into account of the topic that a batch goes to. */
export interface TargetTopic {
  readonly partitions: number
  readonly settings: TopicSettings
}

/** A batch that may be appended, in memory of its own: stamping it leaves the sender's bytes alone. */
export interface AcceptedBatch extends StagedBatch {
  readonly bytes: Buffer
  /** Positions that it takes, 1 or more. */
  readonly offsets: number
  readonly maxTimestamp: number
}

/**
 * Checks a batch as a broker does: checksum, size, keys. Throws OUTPUT_REFUSED, naming topic, partition, key and size;
 * RECORD_BATCH_CORRUPT for damaged bytes.
 *
 * `max.message.bytes` limits what one record would take as a batch of its own, so the limit does not depend on how a
 * sender groups records: a producer that splits batches that are too large gets the same answer from Kafka.
 */
export function acceptBatch(staged: StagedBatch, topic: TargetTopic | undefined): AcceptedBatch {
  const { topic: name, partition } = staged
  const at = { topic: name, partition }
  if (topic === undefined) throw noSuchTopic(name)
  if (!(partition >= 0 && partition < topic.partitions && Number.isInteger(partition))) {
    throw noSuchPartition(at, topic.partitions)
  }
  const bytes = Buffer.from(asBuffer(staged.bytes))
  const header = readCheckedHeader(bytes, at)
  if (header.isControl) throw corruptBatch('a marker is nothing to append', at)
  const limit = numberSetting(topic.settings, 'max.message.bytes')
  if (bytes.length > limit || isCompacted(topic.settings)) checkRecords(bytes, limit, topic, at)
  const { nextOffset, baseOffset, maxTimestamp, records } = header
  return { topic: name, partition, bytes, records, offsets: nextOffset - baseOffset, maxTimestamp }
}

function checkRecords(batch: Buffer, limit: number, topic: TargetTopic, at: TopicPartition): void {
  const needsKey = isCompacted(topic.settings)
  const cursor = new RecordCursor()
  cursor.open(batch, at)
  const alone = cursor.header?.records === 1
  while (cursor.next()) {
    const size = alone ? batch.length : AT.records + cursor.recordEnd - cursor.recordStart
    if (batch.length > limit && size > limit) throw recordTooLarge(at, cursor.key(), size, limit)
    if (needsKey && cursor.keyStart < 0) throw recordWithoutKey(at)
  }
}
