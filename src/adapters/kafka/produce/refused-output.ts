import type { ByteString } from '../../../core/bytes.ts'
import { TidemarkError } from '../../../core/errors.ts'
import type { TopicPartition } from '../../../core/offsets.ts'
import { AT } from '../../../wire/batch-layout.ts'
import { RecordCursor } from '../../../wire/record-cursor.ts'
import { keyText } from '../../log-rules/key-text.ts'
import { recordTooLarge, recordWithoutKey } from '../../log-rules/output-errors.ts'
import { KAFKA_TOOLS } from '../admin/kafka-tools.ts'
import { ERROR, errorName, isForbidden } from '../protocol/error-code.ts'
import type { Produced } from '../protocol/produce.ts'

/** A batch that a broker will never accept. */
export interface RefusedBatch extends TopicPartition {
  readonly bytes: Buffer
  readonly records: number
}

/** OUTPUT_REFUSED for what a broker has answered to a batch, naming the record. `limitBytes`: the topic's, where it is known. */
export function refusedOutput(
  { bytes, records, ...at }: RefusedBatch,
  answer: Pick<Produced, 'errorCode' | 'record' | 'message'>,
  limitBytes: number | undefined,
): TidemarkError {
  const { errorCode, message } = answer
  if (isForbidden(errorCode)) return forbiddenOutput(at.topic)
  const { key, timestamp, sizeBytes } = blamed(bytes, at, answer.record)
  const size = records === 1 ? bytes.length : sizeBytes
  if (errorCode === ERROR.MESSAGE_TOO_LARGE || errorCode === ERROR.RECORD_LIST_TOO_LARGE) {
    return recordTooLarge(at, key, size, limitBytes, KAFKA_TOOLS)
  }
  if (errorCode === ERROR.INVALID_RECORD && key === null) return recordWithoutKey(at)
  if (errorCode === ERROR.INVALID_TIMESTAMP) {
    const shown = new Date(timestamp)
    const time = Number.isNaN(shown.getTime()) ? `${timestamp}` : shown.toISOString()
    const about = `the timestamp ${time} of a record (${keyText(key)}, ${size} bytes) is outside the broker's bounds`
    return new TidemarkError('OUTPUT_REFUSED', about, {
      at,
      hint: "Raise the topic's message.timestamp.after.max.ms (or before.max.ms), as `tidemark log create` does.",
    })
  }
  const why = message === undefined ? errorName(errorCode) : `${errorName(errorCode)}: ${message}`
  return new TidemarkError('OUTPUT_REFUSED', `the broker refuses a record of ${size} bytes (${keyText(key)}): ${why}`, {
    at,
    hint: "Look at the topic's settings and at the broker's log.",
  })
}

export function forbiddenOutput(topic: string): TidemarkError {
  return new TidemarkError('OUTPUT_REFUSED', `writing to ${topic} is not allowed`, {
    at: { topic },
    hint: 'Give the user that is logged in the rights to describe and write this topic.',
  })
}

/** The record that the broker names, else the largest one. */
function blamed(
  batch: Buffer,
  at: TopicPartition,
  number: number | undefined,
): { readonly key: ByteString | null; readonly timestamp: number; readonly sizeBytes: number } {
  const cursor = new RecordCursor()
  cursor.open(batch, at)
  let found: ReturnType<typeof blamed> = { key: null, timestamp: -1, sizeBytes: 0 }
  for (let index = 0; cursor.next(); index++) {
    const sizeBytes = AT.records + cursor.recordEnd - cursor.recordStart
    if (number === undefined ? sizeBytes <= found.sizeBytes : index !== number) continue
    found = { key: cursor.key(), timestamp: cursor.timestamp, sizeBytes }
  }
  return found
}
