import { unreachable } from '../core/errors.ts'
import { partitionKey } from '../core/offsets.ts'
import type { Bound } from './bound.ts'
import type { InputPartition } from './inputs.ts'

/** What is known when a bound is turned into offsets. */
export interface BoundContext {
  /** Offsets by `topic/partition` that the word `checkpoint` means here. */
  readonly checkpoint: Readonly<Record<string, number>>
  /** For a bound on time: the offset it has in a partition, by `topic/partition`, as `offsetsAtTime` found it. */
  readonly atTime: ReadonlyMap<string, number>
  /** The offset that a count is added to. */
  readonly origin: number
}

/**
 * The offset of a bound in one partition, as asked: it may lie past the log. Undefined where the bound leaves the
 * partition out, Infinity where it means whatever the log has: `latest`, or a time that no record has reached.
 */
export function resolveBound(bound: Bound, input: InputPartition, context: BoundContext): number | undefined {
  const key = partitionKey(input.topic, input.partition)
  switch (bound.kind) {
    case 'checkpoint':
      return context.checkpoint[key] ?? 0
    case 'earliest':
      return input.start
    case 'latest':
      return Number.POSITIVE_INFINITY
    case 'offset':
      return bound.offset
    case 'offsets':
      return bound.offsets.find((at) => at.topic === input.topic && at.partition === input.partition)?.offset
    case 'timestamp':
    case 'duration': {
      const offset = context.atTime.get(key)
      return offset === undefined || offset >= input.end ? Number.POSITIVE_INFINITY : offset
    }
    case 'count':
      return context.origin + bound.count
    default:
      return unreachable(bound, 'this bound')
  }
}
