import type { ByteString } from '../../core/bytes.ts'
import { isTidemarkError, TidemarkError } from '../../core/errors.ts'
import { type Headers, NO_HEADERS } from '../../core/headers.ts'
import { UNREAD } from '../../operators/operator.ts'
import { formatIsoTime } from '../../planner/iso-time.ts'
import type { Chunk } from '../../ports/log.ts'
import { decodeKey } from '../../serde/serde.ts'
import { RecordCursor } from '../../wire/record-cursor.ts'
import { InputDigest } from '../digest/input-digest.ts'
import { userCodeFailed } from '../processor-failure.ts'
import { eventTime, isEventTime, readsRecord } from './event-time.ts'
import { type InputPolicies, type InputSource, type InputStart, recordKey } from './input-source.ts'
import type { Rejection, RejectionReason } from './rejection.ts'

const NO_BYTES = new Uint8Array(0)

/** `head`: a record stands ready. `need`: another chunk is wanted. `end`: the range is read to its end. */
export type InputState = 'head' | 'need' | 'end'

/**
 * One planned partition: reads records one at a time out of chunks and stands at the next one, its head, decoded as far
 * as the steps below need it. One object for the whole range; its fields change with each `advance`. It is the
 * `RecordContext` of its head.
 */
export class PartitionInput {
  readonly source: InputSource
  readonly topic: string
  readonly partition: number
  /** Place of the partition in the plan's merge order. */
  readonly order: number
  readonly to: number

  state: InputState = 'need'
  /** Next offset to read: everything before it is taken. */
  position: number
  /** Greatest event time up to the records taken, and up to the head; -1 before the first. */
  takenFloor: number
  floor: number
  /** Greatest valid event time ever taken, and with the head; -1 before the first. */
  takenPartitionTime: number
  partitionTime: number
  /** Records taken. */
  records = 0

  offset = -1
  /** Event time of the head, epoch ms; where it has none, the floor. */
  timestamp = -1
  /** The record's own timestamp, epoch ms, whatever its event time is. */
  recordTimestamp = -1
  key: unknown = null
  value: unknown = null
  rejection: Rejection | null = null
  headers: Headers = NO_HEADERS
  rawKey: ByteString | null = null
  bytes: Uint8Array = NO_BYTES
  valueStart = -1
  valueEnd = -1

  readonly #policies: InputPolicies
  readonly #cursor = new RecordCursor()
  readonly #digest: InputDigest
  readonly #readsRecord: boolean
  #chunk: Chunk | undefined
  #batch = 0
  #open = false

  constructor(
    source: InputSource,
    start: InputStart,
    order: number,
    policies: InputPolicies,
    digest = new InputDigest(),
  ) {
    this.source = source
    this.topic = start.topic
    this.partition = start.partition
    this.order = order
    this.to = start.to
    this.position = start.from
    this.takenFloor = this.floor = start.floor
    this.takenPartitionTime = this.partitionTime = start.partitionTime
    this.#policies = policies
    this.#digest = digest
    this.#readsRecord = readsRecord(source.topic.timestamp)
    if (this.position >= this.to) this.state = 'end'
  }

  /** Gives the next chunk; undefined says that the range is read to its end. Then `advance` goes on. */
  feed(chunk: Chunk | undefined): void {
    this.#chunk = chunk
    this.#batch = 0
    this.#open = false
    if (chunk === undefined) this.#end()
    else this.#toHead()
  }

  /** Bytes of the head as it lies in its batch. */
  get recordBytes(): number {
    return this.#cursor.recordEnd - this.#cursor.recordStart
  }

  /** Takes the head and moves to the next record. */
  advance(): InputState {
    this.#digest.take(this.#cursor)
    this.position = this.offset + 1
    this.takenFloor = this.floor
    this.takenPartitionTime = this.partitionTime
    this.records++
    return this.#toHead()
  }

  #toHead(): InputState {
    const cursor = this.#cursor
    for (;;) {
      while (this.#open && cursor.next()) {
        if (cursor.offset < this.position) continue
        if (cursor.offset >= this.to) return this.#end()
        this.#setHead(cursor)
        return this.state
      }
      const batch = this.#chunk?.batches[this.#batch++]
      if (batch === undefined) return this.#endOfChunk()
      cursor.open(batch, { job: this.#policies.job, topic: this.topic, partition: this.partition })
      this.#open = true
    }
  }

  #endOfChunk(): InputState {
    const chunk = this.#chunk
    if (chunk !== undefined) this.position = Math.max(this.position, Math.min(chunk.nextOffset, this.to))
    if (this.position >= this.to) return this.#end()
    this.#chunk = undefined
    this.#open = false
    this.state = 'need'
    return 'need'
  }

  #end(): InputState {
    this.position = this.to
    this.#chunk = undefined
    this.state = 'end'
    return 'end'
  }

  #setHead(cursor: RecordCursor): void {
    this.state = 'head'
    this.offset = cursor.offset
    this.recordTimestamp = cursor.timestamp
    this.bytes = cursor.bytes
    this.valueStart = cursor.valueStart
    this.valueEnd = cursor.valueEnd
    this.headers = cursor.headers()
    this.rawKey = cursor.key()
    this.rejection = this.#rejectUnread()
    if (this.rejection === null) this.#decode()
    if (this.rejection === null) this.#time(cursor.timestamp)
    if (this.rejection === null) return
    if (this.#hasPlace(this.rejection, cursor.timestamp)) this.floor = Math.max(this.floor, cursor.timestamp)
    this.timestamp = this.floor < 0 ? Math.max(0, cursor.timestamp) : this.floor
  }

  /**
   * A record that is left out for other reasons than its time has its place in the order of time: a bound at a time, which
   * is found without looking at keys and values, counts it.
   */
  #hasPlace({ reason }: Rejection, timestamp: number): boolean {
    if (this.source.topic.timestamp.from !== 'record' || reason === 'timestamp' || reason === 'too-far') return false
    const skew = this.#policies.maxFutureSkew
    return skew === null || timestamp <= this.#policies.now + skew.limitMs
  }

  /** What can be told without decoding. */
  #rejectUnread(): Rejection | null {
    const { skips } = this.#policies
    if (skips.size > 0) {
      const skip = skips.get(recordKey(this.topic, this.partition, this.offset))
      if (skip !== undefined) return skip
    }
    const { topic, role } = this.source
    if (this.rawKey === null && !topic.nullKey) return NULL_KEY
    if (this.valueStart < 0 && !topic.nullValue && role === 'stream') return NULL_VALUE
    return null
  }

  #decode(): void {
    const { topic, needsKey, needsValue } = this.source
    try {
      if (this.rawKey === null) this.key = null
      else this.key = needsKey || this.#readsRecord ? decodeKey(topic.key, this.rawKey) : UNREAD
      if (this.valueStart < 0) this.value = null
      else if (!needsValue && !this.#readsRecord) this.value = UNREAD
      else this.value = topic.value.decode(this.bytes, this.valueStart, this.valueEnd)
    } catch (error) {
      this.#reject('bad-data', this.#policies.onBadData, badData(error))
    }
  }

  #time(recordTimestamp: number): void {
    const { topic } = this.source
    this.timestamp = recordTimestamp
    let time: number
    try {
      time = eventTime(topic.timestamp, this, this.partitionTime, this.#policies.now)
    } catch (error) {
      // Whether the job leaves such records out is decided where it is for all user code, when the record's turn comes.
      this.#reject('user-error', 'fail', userCodeFailed(`the timestamp extractor of topic ${topic.name}`, error, {}))
      return
    }
    if (!isEventTime(time)) {
      if (topic.onInvalidTimestamp === 'partition-time' && this.partitionTime >= 0) time = this.partitionTime
      else {
        this.#rejectTimestamp(time)
        return
      }
    }
    const skew = this.#policies.maxFutureSkew
    if (skew !== null && time > this.#policies.now + skew.limitMs) {
      this.#rejectFuture(time, skew)
      return
    }
    this.timestamp = time
    if (time > this.floor) this.floor = time
    if (time > this.partitionTime) this.partitionTime = time
  }

  #rejectTimestamp(time: number): void {
    const skip = this.source.topic.onInvalidTimestamp === 'skip'
    const error = new TidemarkError('TIMESTAMP_INVALID', `the record has no valid event time: ${time}`, {
      hint: "Set the topic's onInvalidTimestamp to 'skip' or 'partition-time', or mend its extractor.",
    })
    this.#reject('timestamp', skip ? 'skip' : 'fail', error)
  }

  #rejectFuture(time: number, skew: { readonly limitMs: number; readonly then: Rejection['action'] }): void {
    const error = new TidemarkError(
      'TIMESTAMP_TOO_FAR',
      `event time ${formatIsoTime(time)} is more than ${skew.limitMs} ms past the run's clock`,
      { hint: 'Mend the producer, raise maxFutureSkew, or let the job skip such records.' },
    )
    this.#reject('too-far', skew.then, error)
  }

  #reject(reason: RejectionReason, action: Rejection['action'], error: TidemarkError): void {
    const { topic, partition, offset } = this
    const at = { job: this.#policies.job, step: this.source.step, topic, partition, offset }
    this.rejection = { reason, action, error: error.locatedAt(at) }
  }
}

const NULL_KEY: Rejection = { reason: 'null-key', action: 'skip', error: null }
const NULL_VALUE: Rejection = { reason: 'null-value', action: 'skip', error: null }

function badData(error: unknown): TidemarkError {
  if (isTidemarkError(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new TidemarkError('BAD_DATA', `the record cannot be decoded: ${message}`, { cause: error })
}
