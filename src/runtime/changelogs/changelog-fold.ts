import type { ByteString } from '../../core/bytes.ts'
import type { StoreRow, StoreShape } from '../../ports/store-table.ts'
import type { RecordCursor } from '../../wire/record-cursor.ts'
import { type RowAddress, rowAddress } from './changelog-key.ts'

/** Every fold goes through the whole table once. More rows write fewer pages twice, and live so long that they cost more. */
const MOST_RECORDS = 150_000
const MOST_BYTES = 64 * 1024 * 1024
const TIME_BYTES = 8

/** A row, or what says that there is none. */
export type LastWord = StoreRow | (RowAddress & { readonly task: number; readonly value: null })

/**
 * Part of a changelog, of one partition after the other, as the last record of each row and task. Holds views of the
 * batches that the records came in. What a slice has written is in the order of the table already, so most of the records
 * are a few runs in order, which are put together in passing.
 */
export class ChangelogFold {
  readonly #shape: StoreShape
  readonly #texts: ByteString[] = []
  readonly #bytes: Buffer[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #timestamps: number[] = []
  readonly #tasks: number[] = []
  #inOrder = true
  #held = 0

  constructor(shape: StoreShape) {
    this.#shape = shape
  }

  get isFull(): boolean {
    return this.#texts.length >= MOST_RECORDS || this.#held >= MOST_BYTES
  }

  /** Takes the record that the cursor is at. */
  take(key: ByteString, { bytes, valueStart, valueEnd, timestamp }: RecordCursor, task: number): void {
    const texts = this.#texts
    const text = this.#shape === 'window' ? timeFirst(key) : key
    const last = texts.length - 1
    if (last >= 0 && (texts[last] as ByteString) >= text) this.#inOrder = false
    texts.push(text)
    this.#bytes.push(bytes)
    this.#starts.push(valueStart)
    this.#ends.push(valueEnd)
    this.#timestamps.push(timestamp)
    this.#tasks.push(task)
  }

  /** A batch is held from now on. */
  hold(bytes: number): void {
    this.#held += bytes
  }

  /** The numbers of the last words, in about the order of the table. */
  lastWords(): readonly number[] {
    const texts = this.#texts
    const numbers = Array.from(texts.keys())
    if (this.#inOrder) return numbers
    // It is stable: of one row and task the last one stays last.
    numbers.sort((left, right) => compared(texts[left] as ByteString, texts[right] as ByteString))
    return numbers.filter((number, index) => !this.#isSame(number, numbers[index + 1]))
  }

  word(number: number): LastWord {
    const text = this.#texts[number] as ByteString
    const { key, time, ordinal } = rowAddress(this.#shape, this.#shape === 'window' ? timeLast(text) : text)
    const task = this.#tasks[number] as number
    const start = this.#starts[number] as number
    if (start < 0) return { key, time, ordinal, task, value: null }
    const value = (this.#bytes[number] as Buffer).subarray(start, this.#ends[number])
    return { key, time, ordinal, value, timestamp: this.#timestamps[number] as number, task }
  }

  clear(): void {
    for (const list of [this.#texts, this.#bytes, this.#starts, this.#ends, this.#timestamps, this.#tasks]) {
      list.length = 0
    }
    this.#inOrder = true
    this.#held = 0
  }

  #isSame(number: number, next: number | undefined): boolean {
    return next !== undefined && this.#texts[number] === this.#texts[next] && this.#tasks[number] === this.#tasks[next]
  }
}

function compared(left: ByteString, right: ByteString): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Windows lie in their table by time first, in the order of the bytes. */
function timeFirst(key: ByteString): ByteString {
  return key.slice(-TIME_BYTES) + key.slice(0, -TIME_BYTES)
}

function timeLast(text: ByteString): ByteString {
  return text.slice(TIME_BYTES) + text.slice(0, TIME_BYTES)
}
