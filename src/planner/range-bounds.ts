import { type Bound, formatBound } from './bound.ts'
import { parseBound } from './parse-bound.ts'
import type { Plan } from './plan-types.ts'

type Asked = Pick<Plan, 'asked' | 'times'>

/** The asked bounds of a plan, start and end, with durations replaced by the times they stood for. */
export function fixedBounds({ asked, times }: Asked): readonly [from: Bound, to: Bound] {
  const fixed = (end: 'from' | 'to'): Bound => {
    const timestamp = times[end]
    return timestamp === null ? parseBound(asked[end], `--${end}`) : { kind: 'timestamp', timestamp }
  }
  return [fixed('from'), fixed('to')]
}

/**
 * What was asked of a range, and of its end, as text that does not depend on when it was asked: two requests under one name
 * are the same range where these texts are equal.
 */
export function rangeBounds(plan: Asked & Pick<Plan, 'advanceTo' | 'closeWindows'>): string {
  const bounds = fixedBounds(plan).map(formatBound).join(' to ')
  const advances = plan.advanceTo === null ? '' : ' with --advance-time'
  return `${bounds}${advances}${plan.closeWindows ? ' with --close-windows' : ''}`
}
