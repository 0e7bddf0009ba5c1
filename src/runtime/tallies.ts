import type { Checkpoint } from '../core/checkpoint.ts'
import { partitionKey, type TopicPartition } from '../core/offsets.ts'
import type { PartitionInput } from './input/partition-input.ts'

/** Where a partition stands. */
export interface Tally extends TopicPartition {
  /** Where its first plan of this attempt began. */
  readonly from: number
  /** Next offset to read. */
  readonly position: number
  /** -1 before the first record. */
  readonly floor: number
  readonly partitionTime: number
  /** Records taken in the slice under way. */
  readonly records: number
}

const NOTHING: Pick<Checkpoint, 'offsets' | 'floors' | 'partitionTimes'> = {
  offsets: {},
  floors: {},
  partitionTimes: {},
}

interface Counted {
  from: number
  input: PartitionInput
  /** Records of earlier inputs of the partition in the slice under way. */
  earlier: number
  /** Records of `input` that belong to committed slices. */
  committed: number
}

/** Keeps count of the partitions over the slices and plans of one attempt. */
export class Tallies {
  readonly #checkpoint: Checkpoint | null
  readonly #counted = new Map<string, Counted>()

  constructor(checkpoint: Checkpoint | null) {
    this.#checkpoint = checkpoint
  }

  /** The inputs of a plan take over. */
  open(inputs: readonly PartitionInput[]): void {
    for (const input of inputs) {
      const key = partitionKey(input.topic, input.partition)
      const known = this.#counted.get(key)
      if (known === undefined) {
        this.#counted.set(key, { from: input.position, input, earlier: 0, committed: 0 })
      } else {
        known.earlier += known.input.records - known.committed
        known.committed = 0
        known.input = input
      }
    }
  }

  /** Where a partition stands by its `topic/partition` key: as read here, or as the checkpoint says. */
  stands(key: string): {
    readonly position: number | undefined
    readonly floor: number
    readonly partitionTime: number
  } {
    const input = this.#counted.get(key)?.input
    if (input !== undefined) {
      return { position: input.position, floor: input.takenFloor, partitionTime: input.takenPartitionTime }
    }
    const { offsets, floors, partitionTimes } = this.#checkpoint ?? NOTHING
    return { position: offsets[key], floor: floors[key] ?? -1, partitionTime: partitionTimes[key] ?? -1 }
  }

  settled(): readonly Tally[] {
    return [...this.#counted.values()].map(({ from, input, earlier, committed }) => ({
      topic: input.topic,
      partition: input.partition,
      from,
      position: input.position,
      floor: input.takenFloor,
      partitionTime: input.takenPartitionTime,
      records: earlier + input.records - committed,
    }))
  }

  /** The slice under way is committed. */
  committed(): void {
    for (const counted of this.#counted.values()) {
      counted.earlier = 0
      counted.committed = counted.input.records
    }
  }
}
