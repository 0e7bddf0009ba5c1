import type { ByteString } from '../core/bytes.ts'
import type { StoreRow, StoreShape } from '../ports/store-table.ts'
import type { RecordCursor } from '../wire/record-cursor.ts'
import { type RowAddress, rowAddress } from './changelog-key.ts'

const MOST_ROWS = 100_000
const MOST_BYTES = 64 * 1024 * 1024
const TIME_BYTES = 8

/** A row, or what says that there is none. */
export type LastWord = StoreRow | (RowAddress & { readonly value: null })

/** The last records of each row in a part of a changelog partition. Holds views of the batches that they came in. */
export class ChangelogFold {
  readonly #shape: StoreShape
  readonly #task: number
  readonly #places = new Map<ByteString, number>()
  readonly #bytes: Buffer[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #timestamps: number[] = []
  #held = 0

  constructor(shape: StoreShape, task: number) {
    this.#shape = shape
    this.#task = task
  }

  get isFull(): boolean {
    return this.#places.size >= MOST_ROWS || this.#held >= MOST_BYTES
  }

  /** Takes the record that the cursor is at. */
  take(key: ByteString, { bytes, valueStart, valueEnd, timestamp }: RecordCursor): void {
    const text = this.#shape === 'window' ? timeFirst(key) : key
    const place = this.#places.get(text) ?? this.#starts.length
    if (place === this.#starts.length) this.#places.set(text, place)
    this.#bytes[place] = bytes
    this.#starts[place] = valueStart
    this.#ends[place] = valueEnd
    this.#timestamps[place] = timestamp
  }

  /** A batch is held from now on. */
  hold(bytes: number): void {
    this.#held += bytes
  }

  /** Gives the last words in about the order of the table, and forgets them. */
  *drain(): Generator<LastWord> {
    const task = this.#task
    for (const text of [...this.#places.keys()].sort()) {
      const place = this.#places.get(text) ?? 0
      const address = rowAddress(this.#shape, this.#shape === 'window' ? timeLast(text) : text)
      const start = this.#starts[place] ?? -1
      if (start < 0) yield { ...address, value: null }
      else {
        const { key, time, ordinal } = address
        const value = (this.#bytes[place] as Buffer).subarray(start, this.#ends[place])
        yield { key, time, ordinal, value, timestamp: this.#timestamps[place] ?? 0, task }
      }
    }
    this.#places.clear()
    for (const list of [this.#bytes, this.#starts, this.#ends, this.#timestamps]) list.length = 0
    this.#held = 0
  }
}

/** Windows lie in their table by time first, in the order of the bytes. */
function timeFirst(key: ByteString): ByteString {
  return key.slice(-TIME_BYTES) + key.slice(0, -TIME_BYTES)
}

function timeLast(text: ByteString): ByteString {
  return text.slice(TIME_BYTES) + text.slice(0, TIME_BYTES)
}
