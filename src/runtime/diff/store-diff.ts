import type { StoreEntry } from '../stores/store-reader.ts'

/** A row on which two generations differ. `missing`: only the live one has it; `extra`: only the other one. */
export interface DifferentRow {
  readonly kind: 'missing' | 'extra' | 'different'
  readonly key: unknown
  /** Of its window, epoch ms. */
  readonly start?: number
  readonly end?: number
  /** What the live generation's table shows; absent where it has no such row. */
  readonly live?: unknown
  /** What the other one's shows. */
  readonly other?: unknown
}

/** How the rows of one store compare. */
export interface StoreDiff {
  readonly store: string
  /** Rows of the live generation, and of the other one. */
  readonly rows: { readonly live: number; readonly other: number }
  readonly same: number
  readonly missing: number
  readonly extra: number
  readonly different: number
  /** Among the same: rows whose timestamps differ. */
  readonly otherTimestamps: number
  /** The first rows that differ, in the order of the store. */
  readonly samples: readonly DifferentRow[]
}

/** Rows that are not the same. */
export function differing({ missing, extra, different }: StoreDiff): number {
  return missing + extra + different
}

export function differentRow(
  kind: DifferentRow['kind'],
  live: StoreEntry | null,
  other: StoreEntry | null,
): DifferentRow {
  const shown = (live ?? other) as StoreEntry
  return {
    kind,
    key: shown.key,
    ...(shown.start === undefined ? {} : { start: shown.start }),
    ...(shown.end === undefined ? {} : { end: shown.end }),
    ...(live === null ? {} : { live: live.value }),
    ...(other === null ? {} : { other: other.value }),
  }
}
