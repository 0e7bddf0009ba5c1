import type { Duration } from '../core/duration.ts'
import type { JoinWindows } from '../topology/join-windows.ts'
import { spanMs } from './span.ts'

export interface JoinWindowOptions {
  /** How much longer an unmatched record of a left or outer join waits, by stream time. Default 0. */
  readonly grace?: Duration
}

/**
 * Which records of two streams meet: those whose times differ by at most `difference`; or the right ones from `before` the
 * left one up to `after` it.
 */
export function joinWindows(
  difference: Duration | { readonly before: Duration; readonly after: Duration },
  { grace = 0 }: JoinWindowOptions = {},
): JoinWindows {
  const { before, after } = typeof difference === 'object' ? difference : { before: difference, after: difference }
  return Object.freeze({
    kind: 'join',
    beforeMs: spanMs(before, 'before'),
    afterMs: spanMs(after, 'after'),
    graceMs: spanMs(grace, 'grace'),
  })
}
