import { TidemarkError } from '../core/errors.ts'
import type { PartitionRange } from '../core/offsets.ts'
import type { DataLossPolicy } from './data-loss-policy.ts'
import { listSome } from './list-some.ts'
import type { WantedStart } from './resolve-start.ts'

/** Where partitions start after all, and what of the log is lost. */
export interface SettledStarts {
  /** In the order of the wanted starts. */
  readonly from: readonly number[]
  readonly gaps: readonly PartitionRange[]
  readonly notices: readonly string[]
}

/**
 * Loss is loud (rule 3.6): throws INPUT_LOST for a start that the log no longer has, or does not reach; under `skip` the
 * partition goes on from what is there, and the gap is kept. An accepted topic starts where it starts.
 */
export function settleStarts(job: string, starts: readonly WantedStart[], onDataLoss: DataLossPolicy): SettledStarts {
  const losses = starts.flatMap((start) => lossOf(start) ?? [])
  const loud = losses.filter((loss) => !loss.accepted)
  if (loud.length > 0 && onDataLoss === 'fail') throw inputLost(job, loud)
  return {
    from: starts.map((start) => lossOf(start)?.available ?? start.wanted),
    gaps: losses.map((loss) => loss.gap),
    notices: losses.map((loss) => `${loss.sentence}: going on from ${loss.available}, the gap is recorded`),
  }
}

interface Loss {
  readonly gap: PartitionRange
  readonly wanted: number
  readonly available: number
  readonly accepted: boolean
  readonly sentence: string
}

function lossOf({ input, wanted, startedBy }: WantedStart): Loss | undefined {
  const { topic, partition, start, highWatermark } = input
  const accepted = startedBy === 'accepted'
  const name = `${topic}[${partition}]`
  if (wanted < start) {
    const sentence = `${name}: offset ${wanted} is wanted, the log starts at ${start}, ${offsets(start - wanted)} lost`
    return { gap: { topic, partition, from: wanted, to: start }, wanted, available: start, accepted, sentence }
  }
  if (wanted > highWatermark) {
    const lost = offsets(wanted - highWatermark)
    const sentence = `${name}: log shorter than checkpoint, offset ${wanted} is wanted, the log ends at ${highWatermark}, ${lost} lost`
    return {
      gap: { topic, partition, from: highWatermark, to: wanted },
      wanted,
      available: highWatermark,
      accepted,
      sentence,
    }
  }
  return undefined
}

function offsets(count: number): string {
  return count === 1 ? '1 offset is' : `${count} offsets are`
}

function inputLost(job: string, losses: readonly Loss[]): TidemarkError {
  const [first] = losses
  const at =
    first === undefined
      ? { job }
      : { job, topic: first.gap.topic, partition: first.gap.partition, offset: first.wanted }
  return new TidemarkError(
    'INPUT_LOST',
    listSome(
      losses.map((loss) => loss.sentence),
      '; ',
    ),
    {
      hint: 'To go on from what is there and record the gap: --on-data-loss skip. The state then no longer matches the log.',
      at,
    },
  )
}
