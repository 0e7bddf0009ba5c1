import type { Checkpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import { partitionKey } from '../core/offsets.ts'
import { type Bound, formatBound } from './bound.ts'
import type { InputPartition } from './inputs.ts'
import type { StartedBy } from './plan-types.ts'
import { resolveBound } from './resolve-bound.ts'

/** Where a partition is to start, before it is known whether the log still has that. */
export interface WantedStart {
  readonly input: InputPartition
  readonly wanted: number
  readonly startedBy: StartedBy
}

export interface StartContext {
  readonly kind: 'live' | 'range'
  readonly checkpoint: Checkpoint | null
  readonly liveCheckpoint: Checkpoint | null
  readonly from: Bound
  readonly start: Bound
  readonly accepted: readonly string[]
  /** Offsets of the bound that streams of an empty generation start at, where it is on time. */
  readonly atTime: ReadonlyMap<string, number>
}

/** Rules 3.5 and 3.8. Throws USAGE for a start past the end of the log. */
export function resolveStart(input: InputPartition, context: StartContext): WantedStart {
  const { checkpoint, liveCheckpoint, from, kind, start, accepted } = context
  if (checkpoint !== null) return fromCheckpoint(input, checkpoint, accepted)
  if (input.role === 'table') return { input, wanted: input.start, startedBy: 'log-start' }
  if (kind === 'live') return { input, wanted: fromBound(input, start, "the job's start", context), startedBy: 'start' }
  if (from.kind === 'checkpoint' && liveCheckpoint !== null) return fromCheckpoint(input, liveCheckpoint, accepted)
  return { input, wanted: fromBound(input, from, '--from', context), startedBy: 'from' }
}

function fromCheckpoint(input: InputPartition, checkpoint: Checkpoint, accepted: readonly string[]): WantedStart {
  if (accepted.includes(input.topic)) return { input, wanted: 0, startedBy: 'accepted' }
  const offset = checkpoint.offsets[partitionKey(input.topic, input.partition)]
  if (offset === undefined) return { input, wanted: 0, startedBy: 'new-partition' }
  return { input, wanted: offset, startedBy: 'checkpoint' }
}

function fromBound(input: InputPartition, bound: Bound, what: string, { atTime }: StartContext): number {
  const asked = resolveBound(bound, input, { checkpoint: {}, atTime, origin: input.start }) ?? input.start
  if (asked === Number.POSITIVE_INFINITY) return input.end
  if (asked <= input.highWatermark) return asked
  const { topic, partition, highWatermark } = input
  throw new TidemarkError(
    'USAGE',
    `${what} ${formatBound(bound)}: ${topic}[${partition}] ends at ${highWatermark}, a start past the end`,
    {
      hint: `Offsets may differ by partition: ${topic}/${partition}=${highWatermark},…; a time (-6h, 2013-01-31) fits them all.`,
      at: { topic, partition, offset: asked },
    },
  )
}
