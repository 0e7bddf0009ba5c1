import type { Checkpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import { type PartitionRange, partitionKey, type TopicPartition } from '../core/offsets.ts'
import type { Isolation, Log } from '../ports/log.ts'
import { timeOfBound } from './bound.ts'
import { boundInputs, describeInputs } from './inputs.ts'
import { checkNamedPartitions } from './named-partitions.ts'
import { parseBound } from './parse-bound.ts'
import type { PlanRequest, PlanSource } from './plan-request.ts'
import { resolveBound } from './resolve-bound.ts'
import { offsetsAtTime } from './time-bound.ts'

export interface OffsetsRequest {
  readonly job: string
  readonly sources: readonly PlanSource[]
  readonly checkpoint: Checkpoint | null
  /** Any bound; a count adds to the checkpoint. */
  readonly bound: string
  readonly isolation: Isolation
  readonly maxFutureSkew: PlanRequest['maxFutureSkew']
  /** Epoch ms. */
  readonly now: number
  readonly log: Log
}

export interface ResolvedOffsets {
  readonly offsets: readonly (TopicPartition & { readonly offset: number })[]
  readonly topicIds: Readonly<Record<string, string>>
  readonly clusterId: string
}

/**
 * The offset that a bound has in every input partition, never past the log's end. Partitions that the bound leaves out
 * are not in the result. Throws USAGE for an offset below the log start, INPUT_MISSING.
 */
export async function resolveOffsets(request: OffsetsRequest): Promise<ResolvedOffsets> {
  const { job, log, sources, isolation, now, checkpoint } = request
  const bound = parseBound(request.bound, '--to')
  const { topics, clusterId } = await describeInputs(log, job, sources)
  const inputs = await boundInputs(log, sources, topics, isolation)
  checkNamedPartitions(bound, '--to', inputs, inputs)
  const time = timeOfBound(bound, now)
  const targets: PartitionRange[] = inputs.map(({ topic, partition, start, end }) => ({
    topic,
    partition,
    from: start,
    to: end,
  }))
  const latest = now + (request.maxFutureSkew?.limitMs ?? Number.POSITIVE_INFINITY)
  const found = time === null ? [] : await offsetsAtTime(log, targets, time, { isolation, latest })
  const atTime = new Map(found.map((offset, index) => [keyOf(targets[index] as PartitionRange), offset]))
  const known = checkpoint?.offsets ?? {}
  const offsets = inputs.flatMap((input) => {
    const { topic, partition, start, end } = input
    const asked = resolveBound(bound, input, { checkpoint: known, atTime, origin: known[keyOf(input)] ?? start })
    if (asked === undefined) return []
    if (asked < start) throw belowLogStart(input, asked)
    return [{ topic, partition, offset: Math.min(asked, end) }]
  })
  return { offsets, topicIds: Object.fromEntries(topics.map(({ name, id }) => [name, id])), clusterId }
}

function keyOf({ topic, partition }: TopicPartition): string {
  return partitionKey(topic, partition)
}

function belowLogStart(
  { topic, partition, start }: TopicPartition & { readonly start: number },
  asked: number,
): TidemarkError {
  return new TidemarkError('USAGE', `${topic}[${partition}] starts at ${start}; ${asked} is no longer there`, {
    hint: `Ask for ${start} or later, or for 'earliest'.`,
    at: { topic, partition },
  })
}
