import type { Checkpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import { type Bound, formatBound } from './bound.ts'
import { resolveBound } from './resolve-bound.ts'
import type { WantedStart } from './resolve-start.ts'

/** Where a partition's range ends. */
export interface PlannedEnd {
  /** At or past the start. */
  readonly to: number
  /** The offset the bound resolved to; Infinity where it means whatever the log has. */
  readonly asked: number
  /** True where the log ends before `asked`. */
  readonly cut: boolean
  /** True where `asked` lies before the start, and the partition stays where it is. */
  readonly stays: boolean
  /** Offsets below `asked` that open transactions hold back. */
  readonly heldBack: number
}

export interface EndContext {
  readonly kind: 'live' | 'range'
  readonly from: Bound
  readonly to: Bound
  /** What `--to checkpoint` means. */
  readonly checkpoint: Checkpoint | null
  readonly atTime: ReadonlyMap<string, number>
}

/** `from` is where the partition starts after all. Throws USAGE where an asked start and an asked end contradict each other. */
export function resolveEnd(start: WantedStart, from: number, context: EndContext): PlannedEnd {
  const { input, wanted } = start
  const asked = readsWhole(start, context) ? Number.POSITIVE_INFINITY : askedEnd(start, from, context)
  if (asked < wanted && start.startedBy === 'from') throw contradiction(start, asked, context)
  return {
    to: Math.max(from, Math.min(asked, input.end)),
    asked,
    cut: asked !== Number.POSITIVE_INFINITY && asked > input.highWatermark,
    stays: asked < from,
    heldBack: Math.max(0, Math.min(asked, input.highWatermark) - Math.max(from, input.end)),
  }
}

/**
 * In a range generation an end that counts offsets is meant for the streams. A table is read to its end then: what comes
 * later than the streams is merged behind them, and what a stream record needs is never cut off.
 */
export function readsWhole({ input }: WantedStart, { kind, to }: Pick<EndContext, 'kind' | 'to'>): boolean {
  if (kind === 'live' || input.role === 'stream') return false
  if (to.kind === 'offsets')
    return !to.offsets.some((at) => at.topic === input.topic && at.partition === input.partition)
  return to.kind === 'offset' || to.kind === 'count'
}

function askedEnd({ input }: WantedStart, from: number, { to, checkpoint, atTime }: EndContext): number {
  return resolveBound(to, input, { checkpoint: checkpoint?.offsets ?? {}, atTime, origin: from }) ?? from
}

function contradiction({ input, wanted }: WantedStart, asked: number, { from, to }: EndContext): TidemarkError {
  const { topic, partition } = input
  const what = `--from ${formatBound(from)} --to ${formatBound(to)} is reversed in ${topic}[${partition}]: from ${wanted} to ${asked}`
  return new TidemarkError('USAGE', what, {
    hint: 'A range is [from, to): its start comes first.',
    at: { topic, partition },
  })
}
