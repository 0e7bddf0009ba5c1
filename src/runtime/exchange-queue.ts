import { NO_HEADERS } from '../core/headers.ts'
import { ExchangedRecord } from './exchanged-record.ts'

/** First in, first out. Records are used again, so that a steady flow allocates nothing. */
export class ExchangeQueue {
  #records: ExchangedRecord[] = []
  #first = 0
  #end = 0

  get size(): number {
    return this.#end - this.#first
  }

  /** A record at the end of the queue, to be filled in. */
  add(): ExchangedRecord {
    let record = this.#records[this.#end]
    if (record === undefined) {
      record = new ExchangedRecord()
      this.#records.push(record)
    }
    this.#end++
    return record
  }

  /** The first record, taken out; good until the queue has been empty and is filled again. */
  take(): ExchangedRecord | undefined {
    if (this.#first === this.#end) {
      this.#reset()
      return undefined
    }
    return this.#records[this.#first++]
  }

  /** Forgets everything. */
  clear(): void {
    this.#reset()
  }

  #reset(): void {
    if (this.#end > KEPT) this.#records.length = KEPT
    for (let i = 0; i < this.#end && i < KEPT; i++) {
      const record = this.#records[i]
      if (record === undefined) break
      record.decodedKey = null
      record.value = null
      record.old = undefined
      record.headers = NO_HEADERS
    }
    this.#first = 0
    this.#end = 0
  }
}

/** Records kept for the next use. */
const KEPT = 1024
