import type { StoreRef } from '../nodes.ts'

/** A store that a processor has declared. */
export interface ProcessStore {
  readonly kind: 'key-value' | 'timestamped-key-value' | 'window' | 'timestamped-window' | 'session' | 'versioned'
  readonly store: StoreRef
  /** Of a versioned store: its earlier rows. */
  readonly history?: StoreRef
  /** Of a window store. */
  readonly windowMs?: number
}
