import { partitionKey, type TopicPartition } from '../../../core/offsets.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import type { Retry } from '../connection/retry.ts'
import { sharedAbort } from '../connection/shared-abort.ts'
import { unreachable } from '../connection/unreachable-error.ts'
import { ERROR, errorName } from '../protocol/error-code.ts'
import type { ProducerId } from '../protocol/init-producer-id.ts'
import { type Produced, produceRequest } from '../protocol/produce.ts'
import type { CheckedBatch } from './checked-batch.ts'
import { PartitionLeaders } from './partition-leaders.ts'
import { type OutgoingBatch, ProduceLane, REMEMBERED_BATCHES } from './produce-lane.ts'
import { produceVerdict } from './produce-verdict.ts'
import { ProducerFenced } from './producer-fenced.ts'
import { refusedOutput } from './refused-output.ts'
import { splitBatch } from './split-batch.ts'

/** Requests under way to one broker: more would not help a single partition. */
const REQUESTS_UNDER_WAY = REMEMBERED_BATCHES
const REQUEST_BYTES = 1024 * 1024
const HELD_BYTES = 16 * 1024 * 1024

export interface SenderOptions {
  readonly transactionalId: string | null
  readonly producer: ProducerId
  /** A topic's `max.message.bytes`, for messages; undefined where it may not be seen. */
  readonly limitOf: (topic: string) => Promise<number | undefined>
  /** What the batches of one request take together; a larger one goes alone. */
  readonly requestBytes?: number
  /** What is held until it is acknowledged, and one batch. */
  readonly heldBytes?: number
}

/** What is needed of the brokers. */
export type SenderBrokers = Pick<Brokers, 'settings' | 'clock' | 'retry' | 'node' | 'metadata' | 'recentTopic'>

interface Destination {
  readonly lane: ProduceLane
  readonly retry: Retry
  /** Its leader, or undefined while that is looked for. */
  node: number | undefined
  finding: Promise<void> | undefined
}

interface Sent {
  readonly to: Destination
  readonly batch: OutgoingBatch
}

/**
 * Sends batches to the leaders of their partitions, several requests at a time, and each again until it is acknowledged by
 * all replicas. Every batch is appended once and those of a partition in their order. The first error ends it, until it
 * is cleared: OUTPUT_REFUSED, LOG_UNREACHABLE after the bound on retries, or ProducerFenced.
 */
export class BatchSender {
  readonly #brokers: SenderBrokers
  readonly #leaders: PartitionLeaders
  readonly #options: SenderOptions
  readonly #requestBytes: number
  readonly #heldBytes: number
  readonly #destinations = new Map<string, Destination>()
  /** Requests under way, by node. */
  readonly #busy = new Map<number, number>()
  #held = 0
  #stop = sharedAbort()
  #failure: unknown
  #waiting: (() => void)[] = []

  constructor(brokers: SenderBrokers, options: SenderOptions) {
    this.#brokers = brokers
    this.#leaders = new PartitionLeaders(brokers)
    this.#options = options
    this.#requestBytes = options.requestBytes ?? REQUEST_BYTES
    this.#heldBytes = options.heldBytes ?? HELD_BYTES
  }

  /** Resolves when the leaders of the partitions are known. */
  async reach(partitions: Iterable<TopicPartition>): Promise<void> {
    const unknown = [...partitions].map((at) => this.#destination(at)).filter(({ node }) => node === undefined)
    for (const to of unknown) this.#find(to)
    await this.#until(() => unknown.every(({ node }) => node !== undefined))
  }

  /** Takes batches, whose bytes stay as they are until they are acknowledged; resolves when few enough bytes are held. */
  async send(batches: Iterable<CheckedBatch>): Promise<void> {
    for (const batch of batches) {
      this.#requireSound()
      const to = this.#destination(batch)
      to.lane.add(batch)
      this.#held += batch.bytes.length
      if (to.node === undefined) this.#find(to)
      if (this.#held <= this.#heldBytes) continue
      this.#pump()
      await this.#until(() => this.#held <= this.#heldBytes)
    }
    this.#pump()
  }

  /** Resolves when all that was sent is acknowledged. */
  async flushed(): Promise<void> {
    await this.#until(() => this.#held === 0)
  }

  /**
   * Forgets what is not acknowledged, and the error. False where it is not known what the brokers have got: then nothing
   * may be sent any more.
   */
  async clear(): Promise<boolean> {
    this.#stop.abort()
    const still = () => [...this.#busy.values()].every((requests) => requests === 0)
    while (!still()) await this.#change()
    for (const { finding } of this.#destinations.values()) await finding
    let known = true
    for (const { lane, retry } of this.#destinations.values()) {
      known = lane.clear() && known
      retry.succeeded()
    }
    this.#held = 0
    this.#failure = undefined
    this.#stop = sharedAbort()
    return known
  }

  #destination({ topic, partition }: TopicPartition): Destination {
    const key = partitionKey(topic, partition)
    let to = this.#destinations.get(key)
    if (to === undefined) {
      const { transactionalId, producer } = this.#options
      const lane = new ProduceLane({ topic, partition }, { ...producer, transactional: transactionalId !== null })
      to = { lane, retry: this.#brokers.retry(), node: undefined, finding: undefined }
      this.#destinations.set(key, to)
    }
    return to
  }

  /** Looks for a leader; after a failure not at once. */
  #find(to: Destination, failure?: LinkFailure): void {
    to.node = undefined
    to.finding ??= this.#found(to, failure)
      .catch((error) => this.#fail(error))
      .finally(() => {
        to.finding = undefined
        this.#pump()
        this.#changed()
      })
  }

  async #found(to: Destination, failure: LinkFailure | undefined): Promise<void> {
    let problem = failure
    while (!this.#stop.signal.aborted) {
      if (problem !== undefined) await to.retry.failed(problem, this.#stop.signal)
      try {
        to.node = await this.#leaders.leaderOf(to.lane, problem !== undefined)
        return
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error
        problem = error
      }
    }
  }

  /** Sends what can be sent now. */
  #pump(): void {
    if (this.#stop.signal.aborted) return
    const ready = new Map<number, Destination[]>()
    for (const to of this.#destinations.values()) {
      if (to.node === undefined || to.lane.next === undefined) continue
      const others = ready.get(to.node)
      if (others === undefined) ready.set(to.node, [to])
      else others.push(to)
    }
    for (const [node, destinations] of ready) {
      while ((this.#busy.get(node) ?? 0) < REQUESTS_UNDER_WAY) {
        const sent = this.#compose(destinations)
        if (sent.length === 0) break
        void this.#dispatch(node, sent)
      }
    }
  }

  /** One batch of each partition, as far as a request takes them. */
  #compose(destinations: readonly Destination[]): Sent[] {
    const sent: Sent[] = []
    let bytes = 0
    for (const to of destinations) {
      const batch = this.#next(to.lane)
      if (batch === undefined || (bytes > 0 && bytes + batch.bytes.length > this.#requestBytes)) continue
      to.lane.sent(batch)
      bytes += batch.bytes.length
      sent.push({ to, batch })
    }
    return sent
  }

  #next(lane: ProduceLane): OutgoingBatch | undefined {
    for (;;) {
      const batch = lane.next
      if (batch === undefined || batch.records === 1 || batch.bytes.length < lane.refusedBytes) return batch
      this.#split(lane, batch)
    }
  }

  async #dispatch(node: number, sent: readonly Sent[]): Promise<void> {
    this.#busy.set(node, (this.#busy.get(node) ?? 0) + 1)
    try {
      const { transactionalId } = this.#options
      const batches = sent.map(({ to: { lane }, batch }) => {
        return { topic: lane.topic, partition: lane.partition, parts: batch.parts }
      })
      const timeoutMs = this.#brokers.settings.requestTimeoutMs
      const answers = await this.#brokers.node(node, produceRequest({ transactionalId, timeoutMs, batches }))
      for (const each of sent) this.#answered(each, answerFor(each.to.lane, answers))
    } catch (error) {
      for (const each of sent) if (each.batch.state === 'under way') this.#unanswered(each, error)
      if (!(error instanceof LinkFailure)) this.#fail(error)
    } finally {
      this.#busy.set(node, (this.#busy.get(node) ?? 1) - 1)
      this.#pump()
      this.#changed()
    }
  }

  #unanswered({ to, batch }: Sent, error: unknown): void {
    const isFirst = to.lane.isFirst(batch)
    to.lane.failed(batch, false)
    if (isFirst && error instanceof LinkFailure) this.#find(to, error)
  }

  #answered({ to, batch }: Sent, answer: Produced): void {
    const { lane } = to
    const verdict = produceVerdict(answer.errorCode)
    if (verdict === 'done') {
      lane.done(batch)
      to.retry.succeeded()
      this.#held -= batch.bytes.length
      return
    }
    const isFirst = lane.isFirst(batch)
    const failure = new LinkFailure(`${lane.topic}[${lane.partition}]`, errorName(answer.errorCode))
    lane.failed(batch, !APPENDED_PERHAPS.has(answer.errorCode))
    if (verdict === 'fenced') this.#fail(new ProducerFenced(answer.errorCode))
    else if (verdict === 'refused') void this.#refuse({ to, batch }, answer)
    else if (verdict === 'too-large' && batch.records === 1) void this.#refuse({ to, batch }, answer)
    else if (verdict === 'too-large') {
      lane.refusedBytes = Math.min(lane.refusedBytes, batch.bytes.length)
      this.#split(lane, batch)
    } else if (isFirst && verdict === 'retry') this.#find(to, failure)
    else if (isFirst) this.#fail(unreachable(`${failure.message}: what was acknowledged before is not there`, failure))
  }

  #split(lane: ProduceLane, batch: OutgoingBatch): void {
    const parts = splitBatch(batch.bytes, { topic: lane.topic, partition: lane.partition })
    for (const { bytes } of parts) this.#held += bytes.length
    this.#held -= batch.bytes.length
    lane.replace(batch, parts)
  }

  async #refuse({ to: { lane }, batch }: Sent, answer: Produced): Promise<void> {
    this.#stop.abort()
    const { topic, partition } = lane
    const limit = await this.#options.limitOf(topic).catch(() => undefined) // the refusal is the error to tell
    this.#fail(refusedOutput({ topic, partition, ...batch }, answer, limit))
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#stop.abort()
    this.#changed()
  }

  #requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  async #until(reached: () => boolean): Promise<void> {
    for (;;) {
      this.#requireSound()
      if (reached()) return
      await this.#change()
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

/** Answers after which the batch may be in the log all the same. */
const APPENDED_PERHAPS: ReadonlySet<number> = new Set([
  ERROR.REQUEST_TIMED_OUT,
  ERROR.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
  ERROR.UNKNOWN_SERVER_ERROR,
])

function answerFor({ topic, partition }: TopicPartition, answers: readonly Produced[]): Produced {
  const found = answers.find((answer) => answer.topic === topic && answer.partition === partition)
  return found ?? { topic, partition, errorCode: ERROR.UNKNOWN_SERVER_ERROR, record: undefined, message: undefined }
}
