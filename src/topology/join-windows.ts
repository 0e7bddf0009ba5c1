/** A right record matches a left one at `t` where its own time is in `[t - before, t + after]`. */
export interface JoinWindows {
  readonly kind: 'join'
  readonly beforeMs: number
  readonly afterMs: number
  /** How much longer an unmatched record waits for a match that comes late. */
  readonly graceMs: number
}
