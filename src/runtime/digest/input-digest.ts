import type { RecordCursor } from '../../wire/record-cursor.ts'
import { Digest } from './digest.ts'

/** Digests the records of one partition as they are taken: place, time, key, value and headers, however they are batched. */
export class InputDigest {
  readonly #digest: Digest
  #bytes: Uint8Array | undefined
  #view: DataView = new DataView(new ArrayBuffer(0))

  /** `text` is what an earlier one came to. */
  constructor(text?: string) {
    this.#digest = new Digest(text)
  }

  /** Takes the record at which the cursor stands. */
  take(cursor: RecordCursor): void {
    const { bytes } = cursor
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    }
    this.#digest.number(cursor.offset)
    this.#digest.number(cursor.timestamp)
    this.#digest.view(this.#view, cursor.contentStart, cursor.recordEnd)
  }

  toString(): string {
    return this.#digest.toString()
  }
}
