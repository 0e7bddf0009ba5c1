import { TidemarkError } from '../../core/errors.ts'
import { openedToRead } from '../state-rules/opened-to-read.ts'
import type { Contents, MemoryFile } from './state-contents.ts'
import type { MemoryRows } from './state-rows.ts'

/** A handle's transaction on a file: what it writes is its own until it commits, and gone when it does not. */
export class MemoryTransaction {
  readonly #file: MemoryFile
  readonly #readonly: boolean
  #draft: Contents | undefined
  /** Rows that were copied in this transaction, and so may be changed. */
  readonly #copied = new Set<MemoryRows>()
  #closed = false

  constructor(file: MemoryFile, readonly: boolean) {
    this.#file = file
    this.#readonly = readonly
  }

  get isOpen(): boolean {
    return this.#draft !== undefined
  }

  /** What this handle sees. */
  get contents(): Contents {
    this.#requireUsable()
    return this.#draft ?? this.#file.contents
  }

  begin(): void {
    this.#requireUsable()
    if (this.#readonly) throw openedToRead('the state file')
    if (this.#draft !== undefined) return
    if (this.#file.writer !== undefined) {
      throw new TidemarkError('STATE_BUSY', 'the state file is held by another handle', {
        hint: 'Nothing was changed. Try again when the other one is done.',
      })
    }
    this.#file.writer = this
    this.#draft = this.#file.contents
  }

  /** Changes what the open transaction sees. */
  change(part: Partial<Contents>): void {
    this.#draft = { ...this.requireOpen(), ...part }
  }

  requireOpen(): Contents {
    this.#requireUsable()
    if (this.#draft === undefined) throw new Error('a write to the state file needs an open transaction')
    return this.#draft
  }

  /** The rows of a store, to be changed in the open transaction. */
  rowsToChange(store: string): MemoryRows {
    const { stores } = this.requireOpen()
    const found = stores.get(store)
    if (found === undefined) throw new TidemarkError('IO_FAILED', `there is no store ${store} any more`)
    if (this.#copied.has(found.rows)) return found.rows
    const rows = found.rows.copy()
    this.#copied.add(rows)
    this.change({ stores: new Map(stores).set(store, { ...found, rows }) })
    return rows
  }

  commit(work: () => void): void {
    this.begin()
    try {
      work()
      this.#file.contents = this.requireOpen()
    } finally {
      this.rollback()
    }
  }

  within(work: () => void): void {
    if (this.isOpen) work()
    else this.commit(work)
  }

  alone(work: () => void): void {
    if (this.isOpen) throw new Error('a transaction on the state file is open')
    this.commit(work)
  }

  rollback(): void {
    if (this.#file.writer === this) this.#file.writer = undefined
    this.#draft = undefined
    this.#copied.clear()
  }

  close(): void {
    this.rollback()
    this.#closed = true
  }

  #requireUsable(): void {
    if (this.#closed) throw new Error('the state file was closed')
  }
}
