/** A key of a windowed table. `end` is exclusive for tumbling, hopping and calendar windows, inclusive for the others. */
export interface Windowed<K> {
  readonly key: K
  /** Epoch ms. */
  readonly start: number
  readonly end: number
}
