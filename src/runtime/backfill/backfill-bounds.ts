import { TidemarkError } from '../../core/errors.ts'
import { formatBound } from '../../planner/bound.ts'
import { parseBound } from '../../planner/parse-bound.ts'
import type { BackfillRequest } from './backfill-request.ts'

/** Where a backfill starts and ends, as bounds. Throws USAGE where one is needed and not said. */
export function askedRange({ missing, from, to }: Pick<BackfillRequest, 'missing' | 'from' | 'to'>): {
  readonly from: string
  readonly to: string
} {
  if (missing) return { from: from ?? 'earliest', to: to ?? 'checkpoint' }
  if (from !== undefined && to !== undefined) return { from, to }
  throw new TidemarkError('USAGE', `a backfill needs ${from === undefined ? '--from' : '--to'}`, {
    hint: 'Give both bounds, or --missing for what no run has processed.',
  })
}

/** What is asked of a backfill, as text: the same request has the same text, whenever it is made. */
export function backfillBounds(request: Pick<BackfillRequest, 'missing' | 'from' | 'to' | 'every'>): string {
  const { from, to } = askedRange(request)
  const { missing, every } = request
  const bounds = `${formatBound(parseBound(from, '--from'))} to ${formatBound(parseBound(to, '--to'))}`
  const parts = every === null ? '' : every.kind === 'time' ? ` every ${every.ms} ms` : ` every +${every.count}`
  return `${MARK}${missing ? 'what is missing of ' : ''}${bounds}${parts}`
}

/** True where the bounds mean the same records whenever they are asked for. */
export function isFixed(request: Pick<BackfillRequest, 'missing' | 'from' | 'to'>): boolean {
  const { from, to } = askedRange(request)
  const fixed = ['timestamp', 'offset', 'offsets']
  return (
    !request.missing && [parseBound(from, '--from'), parseBound(to, '--to')].every(({ kind }) => fixed.includes(kind))
  )
}

/** True of the bounds of a generation that a backfill has made. */
export function isBackfill(bounds: string | null): boolean {
  return bounds?.startsWith(MARK) ?? false
}

/** True of one that has filled what was missing. */
export function fillsMissing(bounds: string | null): boolean {
  return bounds?.startsWith(`${MARK}what is missing`) ?? false
}

const MARK = 'backfill of '
