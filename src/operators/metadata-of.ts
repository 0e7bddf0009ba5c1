import type { RecordMetadata } from '../topology/record-metadata.ts'
import type { RecordContext } from './operator.ts'

/** What a callback may know of the record under processing, beside key and value. */
export function metadataOf({ topic, partition, offset, headers }: RecordContext, timestamp: number): RecordMetadata {
  return { topic, partition, offset, timestamp, headers }
}
