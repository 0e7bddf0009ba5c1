/** A cache whose entries count against a budget. */
export interface BudgetedCache {
  /** Writes the dirty entries into the table. */
  writeOut(): void
  /** Drops the old half; the young one, all clean, becomes old. */
  rotate(): void
}

/**
 * Bounds the entries of all stores together. Each cache has a young half, where entries come in and are written, and an
 * old one, from which they come back when they are used; when the young ones reach half the limit, all is written out in
 * one go and what was not used since the last time is forgotten.
 */
export class CacheBudget {
  readonly #half: number
  readonly #caches: BudgetedCache[] = []
  #young = 0

  /** `entries`: how many are held at the most, about. */
  constructor(entries: number) {
    this.#half = Math.max(1, Math.floor(entries / 2))
  }

  add(cache: BudgetedCache): void {
    this.#caches.push(cache)
  }

  /** Entries have come into a young half. */
  entered(entries = 1): void {
    this.#young += entries
  }

  /** Makes room where that is due. To be called when no entry is being changed. */
  settle(): void {
    if (this.#young < this.#half) return
    this.writeOut()
    for (const cache of this.#caches) cache.rotate()
    this.#young = 0
  }

  writeOut(): void {
    for (const cache of this.#caches) cache.writeOut()
  }

  /** All caches are empty. */
  reset(): void {
    this.#young = 0
  }
}
