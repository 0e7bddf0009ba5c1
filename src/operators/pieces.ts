import type { KeyTimeRow } from './state.ts'

const PIECE_ROWS = 256

/**
 * Goes through the rows that `scan` gives, in pieces, so that they can be written meanwhile and need not fit memory. `visit`
 * deletes each row that it is shown: `scan` is called again until it gives none.
 */
export function takeAll(scan: () => Iterable<KeyTimeRow>, visit: (row: KeyTimeRow) => void): void {
  for (;;) {
    const piece: KeyTimeRow[] = []
    for (const row of scan()) {
      piece.push(row)
      if (piece.length === PIECE_ROWS) break
    }
    for (const row of piece) visit(row)
    if (piece.length < PIECE_ROWS) return
  }
}
