import { ExchangedRecord } from './exchanged-record.ts'

/**
 * First in, first out; and of what was added behind a mark, the same apart. Records are used again, so that a steady flow
 * allocates nothing.
 */
export class ExchangeQueue {
  /** Where what the record under way adds begins. */
  mark = 0
  #records: ExchangedRecord[] = []
  #first = 0
  #end = 0

  get size(): number {
    return this.#end - this.#first
  }

  /** Where the next record will be added: a place for `mark`. */
  get end(): number {
    return this.#end
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

  /** The record at a place that has been added to; good until something is added there again. */
  at(place: number): ExchangedRecord {
    return this.#records[place] as ExchangedRecord
  }

  /** Forgets what was added from a place on. */
  cut(place: number): void {
    if (this.#end > KEPT) this.#records.length = Math.max(place, KEPT)
    for (let at = place; at < this.#end && at < KEPT; at++) this.#records[at]?.clear()
    this.#end = place
  }

  /** Forgets everything. */
  clear(): void {
    this.#reset()
  }

  #reset(): void {
    this.cut(0)
    this.#first = 0
    this.mark = 0
  }
}

/** Records kept for the next use. */
const KEPT = 1024
