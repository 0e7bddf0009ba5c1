import type { TopicPartition } from '../../../core/offsets.ts'
import { AT } from '../../../wire/batch-layout.ts'
import { type ProducerStamp, stampBaseOffset, stampedHeader } from '../../../wire/stamp.ts'
import type { BatchPart } from './split-batch.ts'

/** So many batches of a producer, the last ones, a broker knows again. */
export const REMEMBERED_BATCHES = 5
/** After this many, sequence numbers begin again at 0. */
const SEQUENCES = 2 ** 31

/** A batch on its way. */
export interface OutgoingBatch extends BatchPart {
  /** The batch as it is sent: a header of its own, then its records where they are. */
  readonly parts: readonly [Buffer, Buffer]
  readonly baseSequence: number
  state: 'waiting' | 'under way' | 'done'
}

/**
 * One partition's batches until they are acknowledged, in the order of their sequence numbers. Several may be under way at
 * a time, as many behind the first one as its broker knows again; once one of them has failed, none is sent until all are
 * back, and then again in their order. The very first goes alone: from a producer that it does not know, a broker takes
 * whatever comes first for the beginning.
 */
export class ProduceLane {
  readonly topic: string
  readonly partition: number
  /** The least size that was too large for the topic. */
  refusedBytes = Number.POSITIVE_INFINITY

  readonly #producer: Omit<ProducerStamp, 'baseSequence'>
  #batches: OutgoingBatch[] = []
  #nextSequence = 0
  #acknowledged = 0
  #underWay = 0
  #stalled = false
  #isKnown = false
  #unanswered = false

  constructor({ topic, partition }: TopicPartition, producer: Omit<ProducerStamp, 'baseSequence'>) {
    this.topic = topic
    this.partition = partition
    this.#producer = producer
  }

  /** Takes a batch, whose bytes stay as they are until it is done. */
  add({ bytes, records }: BatchPart): void {
    this.#batches.push(this.#stamped({ bytes, records }, this.#nextSequence))
    this.#nextSequence = (this.#nextSequence + records) % SEQUENCES
  }

  /** The batch to send next, or undefined when there is none or others have to come back first. */
  get next(): OutgoingBatch | undefined {
    if (this.#underWay > 0 && (this.#stalled || !this.#isKnown)) return undefined
    const index = this.#batches.findIndex(({ state }) => state === 'waiting')
    return index < REMEMBERED_BATCHES ? this.#batches[index] : undefined
  }

  /** The batch has left. */
  sent(batch: OutgoingBatch): void {
    batch.state = 'under way'
    this.#underWay++
    this.#stalled = false
  }

  /** The batch is in the log. */
  done(batch: OutgoingBatch): void {
    batch.state = 'done'
    this.#isKnown = true
    this.#underWay--
    for (let first = this.#batches[0]; first?.state === 'done'; first = this.#batches[0]) {
      this.#acknowledged = (first.baseSequence + first.records) % SEQUENCES
      this.#batches.shift()
    }
    if (this.#batches.length === 0) this.#unanswered = false
  }

  /** The batch is to be sent again. `answered`: it is known not to be in the log. */
  failed(batch: OutgoingBatch, answered: boolean): void {
    batch.state = 'waiting'
    this.#underWay--
    this.#stalled = true
    if (!answered) this.#unanswered = true
  }

  /** True for the batch that all others wait for. */
  isFirst(batch: OutgoingBatch): boolean {
    return this.#batches[0] === batch
  }

  /** Puts the parts of a batch that is not under way in its place. */
  replace(batch: OutgoingBatch, parts: readonly BatchPart[]): void {
    let sequence = batch.baseSequence
    const stamped = parts.map((part) => {
      const outgoing = this.#stamped(part, sequence)
      sequence = (sequence + part.records) % SEQUENCES
      return outgoing
    })
    this.#batches.splice(this.#batches.indexOf(batch), 1, ...stamped)
  }

  /**
   * Forgets what is not acknowledged; nothing may be under way. Sequence numbers go on from the last acknowledged one:
   * false where it is not known whether the broker has seen more.
   */
  clear(): boolean {
    this.#batches = []
    this.#nextSequence = this.#acknowledged
    this.#stalled = false
    return !this.#unanswered
  }

  #stamped({ bytes, records }: BatchPart, baseSequence: number): OutgoingBatch {
    const header = stampedHeader(bytes, { ...this.#producer, baseSequence })
    stampBaseOffset(header, 0)
    return { bytes, records, parts: [header, bytes.subarray(AT.records)], baseSequence, state: 'waiting' }
  }
}
