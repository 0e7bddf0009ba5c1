import type { PartitionRange } from '../../../core/offsets.ts'
import type { Chunk, Isolation, LogReader, ReadOptions } from '../../../ports/log.ts'
import { readBatchHeader } from '../../../wire/batch-header.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { refusal } from '../connection/refusal.ts'
import { sharedAbort } from '../connection/shared-abort.ts'
import { recentTopicsOf, topicsNow } from '../connection/topics.ts'
import { ERROR } from '../protocol/error-code.ts'
import { type FetchedPartition, type FetchPartition, fetchRequest } from '../protocol/fetch.ts'
import type { TopicMetadata } from '../protocol/metadata.ts'
import { type Choice, chooseFetch } from './choose-fetch.ts'
import { Inflation, piecesOf } from './inflation.ts'
import { placeRange } from './place-range.ts'
import { RangeFetch } from './range-fetch.ts'
import { type Opinion, secondOpinion } from './second-opinion.ts'
import { judge, type Verdict } from './verdict.ts'

const DEFAULT_BUFFER_BYTES = 32 * 1024 * 1024
/** So much of the buffer may be held decompressed. */
const INFLATED_PART = 4

/**
 * Reads ranges with Fetch alone, without a group. Nothing is asked before the first `next`, or `atOnce`; from then on one request
 * at a time is under way to each broker that leads one of the ranges, as long as there is room for what it brings. A range in
 * trouble does not hold up the others.
 */
export class KafkaLogReader implements LogReader {
  readonly #brokers: Brokers
  readonly #isolation: Isolation
  readonly #bufferBytes: number
  readonly #ranges: readonly RangeFetch[]
  readonly #inflation: Inflation
  readonly #closing = sharedAbort()
  /** Brokers with a request under way. */
  readonly #asked = new Set<number>()
  /** Bytes fetched and not taken, or asked for. */
  #heldBytes = 0
  #started = false
  #soon: NodeJS.Immediate | undefined
  #locating: Promise<ReadonlyMap<string, TopicMetadata>> | undefined

  constructor(brokers: Brokers, ranges: readonly PartitionRange[], options: ReadOptions) {
    this.#brokers = brokers
    this.#isolation = options.isolation
    this.#bufferBytes = options.bufferBytes ?? DEFAULT_BUFFER_BYTES
    this.#inflation = new Inflation(this.#bufferBytes / INFLATED_PART)
    this.#ranges = ranges.map((range) => new RangeFetch(range, brokers.retry()))
    if (options.atOnce === true) this.#start()
  }

  async next(index: number): Promise<Chunk | undefined> {
    const range = this.#ranges[index]
    if (range === undefined) throw new Error(`there is no range ${index}`)
    for (;;) {
      if (this.#isClosed) throw new Error('the reader is closed')
      if (range.isTaken) return undefined
      const taken = range.shift()
      const arrival = taken === undefined ? range.arrival() : undefined
      this.#heldBytes -= taken?.bytes ?? 0
      this.#start()
      this.#pump()
      if (taken !== undefined) {
        this.#inflate(range)
        await this.#inflation.taken(taken)
        return taken.chunk
      }
      await arrival
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const range of this.#ranges) range.fail(new Error('the reader is closed'))
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  #start(): void {
    if (this.#started) return
    this.#started = true
    for (const range of this.#ranges) if (!range.isTaken) void this.#place(range)
  }

  /** Sends what can be sent now. */
  #pump(): void {
    if (this.#isClosed) return
    const ready = this.#ranges.filter(({ status }) => status === 'ready')
    for (const leader of new Set(ready.map((range) => range.leader))) {
      if (this.#asked.has(leader)) continue
      const held = this.#heldBytes + this.#inflation.heldBytes
      const candidates = ready.filter((range) => range.leader === leader)
      const choices = chooseFetch(candidates, this.#bufferBytes, held, this.#ranges.length)
      if (choices.length > 0) void this.#fetch(leader, choices)
    }
  }

  #pumpSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined
      this.#pump()
    })
  }

  /** One request and what comes of it. Never throws. */
  async #fetch(leader: number, choices: readonly Choice<RangeFetch>[]): Promise<void> {
    const maxBytes = choices.reduce((sum, choice) => sum + choice.maxBytes, 0)
    this.#asked.add(leader)
    this.#heldBytes += maxBytes
    for (const { range } of choices) range.status = 'fetching'
    const answers = await this.#answers(leader, choices, maxBytes).catch((error: unknown) => ({ error }))
    this.#heldBytes -= maxBytes
    this.#asked.delete(leader)
    for (const [number, { range }] of choices.entries()) {
      if (range.status !== 'fetching') continue
      if ('error' in answers) this.#failed(range, answers.error)
      else this.#take(range, answers, number === 0)
    }
    this.#pump()
  }

  async #answers(
    leader: number,
    choices: readonly Choice<RangeFetch>[],
    maxBytes: number,
  ): Promise<readonly FetchedPartition[]> {
    const asked = choices.map((choice) => fetchOf(choice.range, choice.maxBytes))
    const answer = await this.#brokers.node(leader, fetchRequest(asked, this.#isolation, maxBytes))
    if (answer.errorCode !== ERROR.NONE) throw refusal(answer.errorCode, {})
    // What is over a quota is kept back whole, and nothing is said of the partitions.
    if (answer.partitions.length === 0) throw new LinkFailure(`broker ${leader}`, 'a quota has it answer with nothing')
    return answer.partitions
  }

  #take(range: RangeFetch, answers: readonly FetchedPartition[], wasFirst: boolean): void {
    const answer = answers.find(
      ({ topicId, partition }) => partition === range.range.partition && range.topicId?.equals(topicId),
    )
    if (answer === undefined) {
      this.#failed(range, new LinkFailure(range.name, 'the answer leaves it out'))
      return
    }
    // A small part of a large answer must not keep all of it in memory.
    const fetched = answers.length === 1 ? answer : { ...answer, records: ownMemory(answer.records) }
    try {
      const from = { range: range.range, position: range.position, wasFirst }
      this.#apply(range, judge(fetched, from, this.#isolation), fetched.records.length)
    } catch (error) {
      range.fail(error)
    }
  }

  #apply(range: RangeFetch, verdict: Verdict, bytes: number): void {
    switch (verdict.kind) {
      case 'batches': {
        const { batches, nextOffset, lastEpoch } = verdict
        range.lastEpoch = lastEpoch
        this.#push(range, { batches, nextOffset }, batches.length === 0 ? 0 : bytes)
        return
      }
      case 'starved':
        range.status = 'ready' // it holds less than those that filled the answer, so it comes before them now
        return
      case 'trouble':
        this.#failed(range, verdict.failure)
        return
      default:
        range.status = 'troubled'
        void this.#consult(range, verdict.kind)
    }
  }

  #push(range: RangeFetch, chunk: Chunk, bytes: number): void {
    range.retry.succeeded()
    this.#heldBytes += bytes
    range.push(piecesOf(chunk, nextOffsetOf, bytes))
    this.#inflate(range)
  }

  #inflate(range: RangeFetch): void {
    for (const piece of range.upcoming) this.#inflation.begin(piece)
  }

  /** Before a range is called lost, or read to its end where no batch says so, its leader is asked once more. Never throws. */
  async #consult(range: RangeFetch, kind: Opinion): Promise<void> {
    try {
      const failure = await secondOpinion(this.#brokers, range, kind, this.#isolation)
      if (range.status !== 'troubled') return
      if (failure !== undefined) this.#failed(range, failure)
      else this.#push(range, { batches: [], nextOffset: range.range.to }, 0)
    } catch (error) {
      range.fail(error)
    }
    this.#pump()
  }

  #failed(range: RangeFetch, error: unknown): void {
    if (error instanceof LinkFailure) void this.#place(range, error)
    else range.fail(error)
  }

  /** Finds the leader of a range, after a pause where something has failed, until it can be fetched. Never throws. */
  async #place(range: RangeFetch, failure?: LinkFailure): Promise<void> {
    range.status = 'troubled'
    try {
      let reason = failure
      do {
        if (reason !== undefined) await range.retry.failed(reason, this.#closing.signal)
        if (this.#isClosed) return
        reason = await this.#located(range, reason !== undefined)
      } while (reason !== undefined)
      if (this.#isClosed) return
      range.status = 'ready'
    } catch (error) {
      range.fail(error)
    }
    // One answer places many ranges: they are asked for together.
    this.#pumpSoon()
  }

  async #located(range: RangeFetch, anew: boolean): Promise<LinkFailure | undefined> {
    try {
      const recent = anew ? undefined : recentTopicsOf(this.#brokers, [range.range])
      if (recent !== undefined) return placeRange(range, recent.get(range.range.topic))
      this.#locating ??= this.#topics().finally(() => {
        this.#locating = undefined
      })
      const topics = await this.#locating
      return placeRange(range, topics.get(range.range.topic))
    } catch (error) {
      if (error instanceof LinkFailure) return error
      throw error
    }
  }

  #topics(): Promise<ReadonlyMap<string, TopicMetadata>> {
    const open = this.#ranges.filter(({ status }) => status !== 'done' && status !== 'failed')
    return topicsNow(this.#brokers, [...new Set(open.map(({ range }) => range.topic))])
  }
}

function fetchOf(range: RangeFetch, maxBytes: number): FetchPartition {
  const { topicId, position: offset, leaderEpoch, lastEpoch } = range
  if (topicId === undefined) throw new Error('a range is fetched when its topic is known')
  return { topicId, partition: range.range.partition, offset, leaderEpoch, lastEpoch, maxBytes }
}

function nextOffsetOf(batch: Buffer): number {
  return readBatchHeader(batch).nextOffset
}

function ownMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
