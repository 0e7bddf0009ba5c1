import type { ByteString } from '../core/bytes.ts'
import { type Headers, NO_HEADERS } from '../core/headers.ts'
import type { RecordContext } from '../operators/operator.ts'

/** Where an input record stands. */
export type Origin = Pick<RecordContext, 'topic' | 'partition' | 'offset'>

const NO_BYTES = new Uint8Array(0)

/** The record that a processor works on: one object for all records and all tasks. */
export class ProcessorRecord implements RecordContext {
  topic = ''
  partition = -1
  offset = -1
  headers: Headers = NO_HEADERS
  rawKey: ByteString | null = null
  bytes: Uint8Array = NO_BYTES
  valueStart = -1
  valueEnd = -1

  set(record: RecordContext): void {
    this.topic = record.topic
    this.partition = record.partition
    this.offset = record.offset
    this.headers = record.headers
    this.rawKey = record.rawKey
    this.bytes = record.bytes
    this.valueStart = record.valueStart
    this.valueEnd = record.valueEnd
  }

  /** No input record is under way. */
  clear(): void {
    this.topic = ''
    this.partition = -1
    this.offset = -1
    this.headers = NO_HEADERS
    this.rawKey = null
    this.bytes = NO_BYTES
    this.valueStart = -1
    this.valueEnd = -1
  }
}
