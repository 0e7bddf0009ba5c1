import type { BatchHeader } from '../../../wire/batch-header.ts'
import type { AbortedTransaction } from '../protocol/fetch.ts'

/**
 * Tells which batches of one answer belong to aborted transactions. The answer lists them in the order in which they ended,
 * those begun before the fetched offset included; they may overlap, and a producer may be in it several times.
 */
export class AbortedFilter {
  /** By first offset. */
  readonly #coming: readonly AbortedTransaction[]
  #next = 0
  readonly #open = new Set<number>()

  constructor(aborted: readonly AbortedTransaction[]) {
    this.#coming = [...aborted].sort((left, right) => left.firstOffset - right.firstOffset)
  }

  /** To be asked of every batch that is no marker, in offset order. */
  isAborted(header: BatchHeader): boolean {
    this.#reach(header)
    return header.isTransactional && this.#open.has(header.producerId)
  }

  /** Whether an abort marker at this batch would end a transaction: to be asked of every marker, in offset order. */
  isOpen(header: BatchHeader): boolean {
    this.#reach(header)
    return this.#open.has(header.producerId)
  }

  /** An abort marker of this producer was passed. */
  ended(producerId: number): void {
    this.#open.delete(producerId)
  }

  /** Transactions that begin in this batch or before it are open now. */
  #reach({ nextOffset }: BatchHeader): void {
    for (; this.#next < this.#coming.length; this.#next++) {
      const { firstOffset, producerId } = this.#coming[this.#next] as AbortedTransaction
      if (firstOffset >= nextOffset) return
      this.#open.add(producerId)
    }
  }
}
