import type { PartitionRange, TopicPartition } from '../../core/offsets.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  Isolation,
  Log,
  LogAdmin,
  LogNeeds,
  LogReader,
  LogWatch,
  PartitionBounds,
  ReadOptions,
  TimeQuery,
  TopicDescription,
} from '../../ports/log.ts'
import type { Outside } from '../../ports/outside.ts'
import { describeTopics } from './admin/describe-topics.ts'
import { KafkaLogAdmin } from './admin/log-admin.ts'
import { Brokers } from './connection/brokers.ts'
import { type AskedOffset, listOffsets } from './connection/offsets.ts'
import { openOutside, TRANSACTION_TIMEOUT_MS } from './outside/open-outside.ts'
import { obstacles } from './preflight/obstacles.ts'
import { EARLIEST, LATEST } from './protocol/list-offsets.ts'
import { KafkaLogReader } from './reader/log-reader.ts'
import { KafkaLogWatch } from './reader/log-watch.ts'
import type { KafkaSettings } from './settings/kafka-settings.ts'

/** A cluster of Apache Kafka as a log. It is connected when it is first asked. */
export class KafkaLog implements Log {
  readonly keepsChangelogs = true
  readonly #brokers: Brokers
  readonly #transactionTimeoutMs: number | undefined

  /** `transactionTimeoutMs`: after that long the brokers give up a transaction that has not ended. */
  constructor(settings: KafkaSettings, clock: Clock, transactionTimeoutMs?: number) {
    this.#brokers = new Brokers(settings, clock)
    this.#transactionTimeoutMs = transactionTimeoutMs
  }

  /** Connects in the background, for who asks something else first. */
  connectAhead(): void {
    this.#brokers.connectAhead()
  }

  async clusterId(): Promise<string> {
    const recent = this.#brokers.recentClusterId
    return recent ?? (await this.#brokers.retried(() => this.#brokers.metadata([]))).clusterId
  }

  async describe(names?: readonly string[]): Promise<readonly TopicDescription[]> {
    return describeTopics(this.#brokers, names)
  }

  async bounds(asked: readonly TopicPartition[], isolation: Isolation): Promise<readonly PartitionBounds[]> {
    // In this order: while others write and trim, no start lies past its end, and no end past its high watermark.
    const kinds = [
      { timestamp: EARLIEST, isolation: 'read_uncommitted' },
      { timestamp: LATEST, isolation },
      { timestamp: LATEST, isolation: 'read_uncommitted' },
    ] as const
    const offsets = await listOffsets(
      this.#brokers,
      kinds.flatMap((kind) => asked.map(({ topic, partition }) => ({ topic, partition, ...kind }))),
    )
    return asked.map(({ topic, partition }, index) => {
      const [start = 0, end = 0, highWatermark = 0] = kinds.map((_, kind) => offsets[kind * asked.length + index])
      return { topic, partition, start, end: Math.max(start, end), highWatermark: Math.max(start, end, highWatermark) }
    })
  }

  async offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]> {
    const ends = queries.map(({ topic, partition }) => asked({ topic, partition }, LATEST))
    // Below 0 the protocol has other meanings; a lower bound of all times is the log start.
    const times = queries.map(({ timestamp, ...at }) => asked(at, timestamp < 0 ? EARLIEST : timestamp))
    const offsets = await listOffsets(this.#brokers, [...ends, ...times])
    return queries.map((_, index) => {
      const found = offsets[queries.length + index] ?? -1
      return found < 0 ? (offsets[index] ?? 0) : found
    })
  }

  reader(ranges: readonly PartitionRange[], options: ReadOptions): LogReader {
    return new KafkaLogReader(this.#brokers, ranges, options)
  }

  /** On connections of its own. */
  watch(isolation: Isolation): LogWatch {
    const { settings, clock } = this.#brokers
    return new KafkaLogWatch(new Brokers(settings, clock), isolation)
  }

  async outside(job: string, key: string): Promise<Outside> {
    const timeout = this.#transactionTimeoutMs
    return openOutside(this.#brokers, this, {
      job,
      key,
      ...(timeout === undefined ? {} : { transactionTimeoutMs: timeout }),
    })
  }

  admin(): LogAdmin {
    return new KafkaLogAdmin(this.#brokers)
  }

  async obstacles(needs: LogNeeds): Promise<readonly string[]> {
    return obstacles(this.#brokers, needs, this.#transactionTimeoutMs ?? TRANSACTION_TIMEOUT_MS)
  }

  async close(): Promise<void> {
    await this.#brokers.close()
  }
}

/** Open transactions count too: what they hold back may become visible. */
function asked({ topic, partition }: TopicPartition, timestamp: number): AskedOffset {
  return { topic, partition, timestamp, isolation: 'read_uncommitted' }
}
