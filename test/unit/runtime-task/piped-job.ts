import type { Job, JobBuilder } from 'tidemark'
import { job } from 'tidemark'
import { MemoryStateDirectory } from '../../../src/adapters/memory/state-directory.ts'
import { asBytes, fromByteString, toByteString } from '../../../src/core/bytes.ts'
import type { Headers } from '../../../src/core/headers.ts'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import { UNREAD } from '../../../src/operators/operator.ts'
import type { StepCounts } from '../../../src/ports/history.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import { sourceNeeds } from '../../../src/runtime/input/needs.ts'
import { Processor } from '../../../src/runtime/processor.ts'
import { sinkTopic } from '../../../src/runtime/sinks.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { StoreViews } from '../../../src/runtime/stores/store-views.ts'
import type { TopicSpec } from '../../../src/topology/topic-spec.ts'

export interface Piped {
  readonly key?: unknown
  readonly value?: unknown
  readonly at?: number
  readonly partition?: number
  readonly headers?: Headers
  /** The value's bytes as they stand, in the place of `value`. */
  readonly raw?: string
}

export interface Emitted {
  readonly topic: string
  readonly key: unknown
  readonly value: unknown
  readonly at: number
}

/** A job driven by a processor alone, on state in memory: records in, what sinks get out. */
export class PipedJob {
  readonly job: Job
  readonly file: StateFile
  readonly counts: Record<string, StepCounts> = {}
  views: StoreViews
  processor: Processor
  /** What sinks got since the last look, as text and with headers: for tests of bytes. */
  raw: { topic: string; task: number; key: string | null; value: string | null; headers: Headers }[] = []
  #emitted: Emitted[] = []
  #offsets = new Map<string, number>()
  readonly #exchangePartitions: number
  readonly #cacheEntries: number
  readonly #roundTrips: boolean

  constructor(build: (builder: JobBuilder) => void, exchangePartitions = 1, cacheEntries = 100, roundTrips = false) {
    this.#roundTrips = roundTrips
    this.job = job('piped', {}, build)
    this.file = new MemoryStateDirectory().open('piped', 'g1', { create: true })
    this.#exchangePartitions = exchangePartitions
    this.#cacheEntries = cacheEntries
    this.views = this.#newViews()
    this.processor = this.#newProcessor({})
  }

  /** Pipes one record and gives what came out of it. */
  pipe(topic: TopicSpec, record: Piped): Emitted[] {
    const source = this.job.topology.nodes.find(
      (node) => (node.kind === 'stream-source' || node.kind === 'table-source') && node.topic.name === topic.name,
    )
    if (source === undefined) throw new Error(`the job does not read ${topic.name}`)
    const { key = null, value = null, at = 0, partition = 0, headers = NO_HEADERS, raw } = record
    const needs = sourceNeeds(this.job.topology).get(source.id)
    const keyBytes = key === null ? null : toByteString(topic.key.encode(key))
    const valueBytes = raw === undefined ? (value === null ? null : topic.value.encode(value)) : Buffer.from(raw)
    const place = `${topic.name}/${partition}`
    const offset = this.#offsets.get(place) ?? 0
    this.#offsets.set(place, offset + 1)
    const context = {
      topic: topic.name,
      partition,
      offset,
      headers,
      rawKey: keyBytes,
      bytes: valueBytes ?? new Uint8Array(0),
      valueStart: valueBytes === null ? -1 : 0,
      valueEnd: valueBytes?.length ?? -1,
    }
    const decoded =
      raw === undefined || valueBytes === null ? value : topic.value.decode(valueBytes, 0, valueBytes.length)
    this.processor.feed(
      source.id,
      partition,
      context,
      key !== null && needs?.key === false ? UNREAD : key,
      decoded !== null && needs?.value === false ? UNREAD : decoded,
      at,
    )
    return this.emitted()
  }

  /** What came out since the last look. */
  emitted(): Emitted[] {
    const emitted = this.#emitted
    this.#emitted = []
    return emitted
  }

  /** Goes on with nothing but what a checkpoint and the state file keep. */
  restart(): void {
    this.views.flush()
    this.views.committed()
    this.views = this.#newViews()
    this.processor = this.#newProcessor(this.processor.streamTimes(), this.processor.punctuations())
  }

  store(name: string): unknown[][] {
    this.views.flush()
    return [...new StoreReader(this.file, this.job, name).entries()].map(({ key, value, start }) =>
      start === undefined ? [key, value] : [key, value, start],
    )
  }

  #newViews(): StoreViews {
    return new StoreViews(this.file, this.job.topology, this.#cacheEntries)
  }

  #newProcessor(
    streamTimes: Readonly<Record<string, number>>,
    punctuations: Readonly<Record<string, number>> = {},
  ): Processor {
    return new Processor({
      topology: this.job.topology,
      stores: this.views,
      exchangePartitions: this.#exchangePartitions,
      roundTripExchanges: this.#roundTrips,
      now: 0,
      streamTimes,
      punctuations,
      counts: (step) => {
        this.counts[step] ??= {}
        return this.counts[step]
      },
      emit: (sink, task, key, value, at, headers) => {
        const node = this.job.topology.nodes[sink]
        const topic = node === undefined ? null : sinkTopic(node)
        if (node === undefined || topic === null) throw new Error(`node ${sink} is no sink`)
        const spec = 'topic' in node ? node.topic : 'published' in node ? node.published : null
        const keyBytes = key === null ? null : fromByteString(key)
        const text = value === null ? null : Buffer.from(asBytes(value)).toString('utf8')
        this.raw.push({ topic, task, key: keyBytes?.toString('utf8') ?? null, value: text, headers })
        this.#emitted.push({
          topic,
          key: keyBytes === null ? null : spec?.key.decode(keyBytes, 0, keyBytes.length),
          value: value === null ? null : spec?.value.decode(asBytes(value), 0, value.length),
          at,
        })
      },
    })
  }
}
