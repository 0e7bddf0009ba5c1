import { setImmediate } from 'node:timers/promises'
import { LinkFailure } from '../../../../src/adapters/kafka/connection/link-failure.ts'
import { Retry } from '../../../../src/adapters/kafka/connection/retry.ts'
import type { SenderBrokers } from '../../../../src/adapters/kafka/produce/batch-sender.ts'
import { ByteReader } from '../../../../src/adapters/kafka/protocol/byte-reader.ts'
import { ByteWriter } from '../../../../src/adapters/kafka/protocol/byte-writer.ts'
import { ERROR } from '../../../../src/adapters/kafka/protocol/error-code.ts'
import type { Metadata } from '../../../../src/adapters/kafka/protocol/metadata.ts'
import type { Produced } from '../../../../src/adapters/kafka/protocol/produce.ts'
import type { ApiRequest } from '../../../../src/adapters/kafka/protocol/request.ts'
import { readSettings } from '../../../../src/adapters/kafka/settings/read-settings.ts'
import { ManualClock } from '../../../../src/testing/manual-clock.ts'
import { readCheckedHeader } from '../../../../src/wire/checked-header.ts'
import { RecordCursor } from '../../../../src/wire/record-cursor.ts'

const TOPIC = 'out'
/** How many batches of a producer a broker knows again. */
const REMEMBERED = 5

/** A partition as its leader has it. */
class Partition {
  leader = 0
  /** The values of the records, in the order of the log. */
  readonly records: string[] = []
  #seen: { readonly base: number; readonly next: number }[] = []

  /** Kafka's rule: what follows is appended, the last five are known again, and from a stranger everything is taken. */
  append(bytes: Buffer): number {
    const { baseSequence: base, records } = readCheckedHeader(bytes)
    const next = base + records
    if (this.#seen.some((seen) => seen.base === base && seen.next === next)) return ERROR.NONE
    const last = this.#seen.at(-1)
    if (last !== undefined && last.next !== base) return ERROR.OUT_OF_ORDER_SEQUENCE_NUMBER
    const cursor = new RecordCursor()
    cursor.open(bytes)
    while (cursor.next()) this.records.push(cursor.bytes.latin1Slice(cursor.valueStart, cursor.valueEnd))
    this.#seen = [...this.#seen, { base, next }].slice(-REMEMBERED)
    return ERROR.NONE
  }
}

interface Waiting {
  readonly batches: readonly { readonly partition: number; readonly bytes: Buffer }[]
  readonly answer: (produced: readonly Produced[]) => void
  readonly fail: (error: Error) => void
}

/** Brokers that lose requests, answers and leaderships as `chance` has it, and keep Kafka's rules. */
export class FlakyBrokers implements SenderBrokers {
  readonly clock = new ManualClock(0)
  readonly settings = readSettings('kafka://nowhere:1', {}, () => '')
  /** Gives numbers from 0 up to 1: low ones are faults. */
  chance: () => number
  /** The most requests that one broker had at a time. */
  mostUnderWay = 0
  /** Batches that were too large. */
  refused = 0

  readonly #partitions: readonly Partition[]
  readonly #nodes: number
  readonly #limitBytes: number
  readonly #queues = new Map<number, Waiting[]>()

  constructor(partitions: number, nodes: number, limitBytes: number, chance: () => number) {
    this.#partitions = Array.from({ length: partitions }, () => new Partition())
    this.#nodes = nodes
    this.#limitBytes = limitBytes
    this.chance = chance
  }

  /** The values of the records of each partition, in the order of the log. */
  records(): readonly (readonly string[])[] {
    return this.#partitions.map(({ records }) => records)
  }

  retry(): Retry {
    return new Retry(this.clock, () => this.settings.retryForMs)
  }

  recentTopic(): undefined {
    return undefined
  }

  async metadata(topics: readonly string[] | undefined): Promise<Metadata> {
    await setImmediate()
    if (this.chance() < 0.1) throw new LinkFailure('nowhere', 'no broker answers')
    const partitions = this.#partitions.map(({ leader }) => ({ errorCode: 0, leader, leaderEpoch: 0 }))
    const found = (topics ?? []).map((name) => {
      const missing = name !== TOPIC
      const errorCode = missing ? ERROR.UNKNOWN_TOPIC_OR_PARTITION : 0
      return { errorCode, name, id: Buffer.alloc(16), isInternal: false, partitions: missing ? [] : partitions }
    })
    return { clusterId: 'c', brokers: [], controllerId: 0, topics: found }
  }

  node<T>(node: number, request: ApiRequest<T>): Promise<T> {
    const queue = this.#queues.get(node) ?? []
    this.#queues.set(node, queue)
    return new Promise<T>((resolve, reject) => {
      const answer = (produced: readonly Produced[]) => resolve(produced as T) // it answers Produce alone
      queue.push({ batches: batchesOf(request), answer, fail: reject })
      this.mostUnderWay = Math.max(this.mostUnderWay, queue.length)
      if (queue.length === 1) void this.#serve(node, queue)
    })
  }

  /** One request after the other, as a broker serves a connection. */
  async #serve(node: number, queue: Waiting[]): Promise<void> {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      for (let turns = Math.floor(this.chance() * 4); turns >= 0; turns--) await setImmediate()
      if (this.chance() < 0.1) this.#elect()
      if (this.chance() < 0.1) this.#cut(node, queue)
      else first.answer(first.batches.map((batch) => this.#append(node, batch)))
      if (queue[0] === first) queue.shift()
    }
  }

  /** The connection breaks: some of what was on it has arrived, and nothing is answered. */
  #cut(node: number, queue: Waiting[]): void {
    const lost = queue.splice(0)
    const arrived = Math.floor(this.chance() * (lost.length + 1))
    for (const { batches } of lost.slice(0, arrived)) for (const batch of batches) this.#append(node, batch)
    for (const { fail } of lost) fail(new LinkFailure('nowhere', 'the connection was closed'))
  }

  #elect(): void {
    const partition = this.#partitions[Math.floor(this.chance() * this.#partitions.length)]
    if (partition !== undefined) partition.leader = Math.floor(this.chance() * this.#nodes)
  }

  #append(node: number, { partition, bytes }: { readonly partition: number; readonly bytes: Buffer }): Produced {
    const answer = (errorCode: number) => ({
      topic: TOPIC,
      partition,
      errorCode,
      record: undefined,
      message: undefined,
    })
    const target = this.#partitions[partition]
    if (target === undefined || target.leader !== node) return answer(ERROR.NOT_LEADER_OR_FOLLOWER)
    if (this.chance() < 0.05) return answer(ERROR.NOT_ENOUGH_REPLICAS)
    if (bytes.length > this.#limitBytes) {
      this.refused++
      return answer(ERROR.MESSAGE_TOO_LARGE)
    }
    const errorCode = target.append(bytes)
    return answer(errorCode === 0 && this.chance() < 0.05 ? ERROR.REQUEST_TIMED_OUT : errorCode)
  }
}

/** What a Produce request has, read from its bytes. */
function batchesOf(request: ApiRequest<unknown>): readonly { readonly partition: number; readonly bytes: Buffer }[] {
  const writer = new ByteWriter()
  request.write(writer)
  const reader = new ByteReader(Buffer.from(writer.bytes))
  reader.nullableString() // transactional id
  reader.int16() // acks
  reader.int32() // time-out
  const topics = reader.array(() => {
    reader.string()
    const batches = reader.array(() => {
      const batch = { partition: reader.int32(), bytes: reader.buffer() ?? Buffer.alloc(0) }
      reader.tags()
      return batch
    })
    reader.tags()
    return batches
  })
  return topics.flat()
}
