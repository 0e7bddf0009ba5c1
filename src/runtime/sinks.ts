import type { ByteString, Bytes } from '../core/bytes.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Headers } from '../core/headers.ts'
import type { StagedBatch } from '../ports/log.ts'
import type { Serde } from '../serde/serde.ts'
import type { Node } from '../topology/nodes.ts'
import { BatchStager } from './batch-stager.ts'
import { TableFold } from './changelogs/table-fold.ts'
import type { CountStep } from './counts.ts'

interface Sink {
  readonly step: string
  readonly stager: BatchStager
  readonly fold: TableFold | null
  /** The part of a key that decides its partition; undefined where all of it does. */
  readonly partitionBytes: Serde<unknown>['partitionBytes']
}

/**
 * What a slice sends: records of stream sinks as they come, table sinks folded to the last update of a key, dead letters.
 * Everything is encoded here, and staged until it is drained.
 */
export class Sinks {
  readonly #sinks = new Map<number, Sink>()
  readonly #stagers = new Map<string, BatchStager>()
  readonly #count: CountStep

  /** `partitionsOf` gives the number of partitions of each topic that is written. */
  constructor(nodes: readonly Node[], partitionsOf: (topic: string) => number, count: CountStep) {
    this.#count = count
    for (const node of nodes) {
      const topic = sinkTopic(node)
      if (topic === null) continue
      const fold = node.kind === 'table-sink' ? new TableFold() : null
      const stager = this.stager(topic, partitionsOf(topic))
      this.#sinks.set(node.id, { step: node.name, stager, fold, partitionBytes: keySerde(node)?.partitionBytes })
    }
  }

  /** The stager of a topic: several sinks may write to one. */
  stager(topic: string, partitions: number): BatchStager {
    let stager = this.#stagers.get(topic)
    if (stager === undefined) {
      stager = new BatchStager(topic, partitions)
      this.#stagers.set(topic, stager)
    }
    return stager
  }

  emit(
    node: number,
    task: number,
    key: ByteString | null,
    value: Bytes | null,
    timestamp: number,
    headers: Headers,
  ): void {
    const sink = this.#sinks.get(node)
    if (sink === undefined) throw new Error(`node ${node} is no sink`)
    if (sink.fold === null) {
      sink.stager.append(key, value, timestamp, headers, task, placing(sink, key))
      this.#counted(sink.step)
    } else if (key === null) {
      throw new TidemarkError('OUTPUT_REFUSED', 'a table sink was given a record without key', {
        at: { step: sink.step, topic: sink.stager.topic },
        hint: 'A table has a key for every row; use a stream sink for records without key.',
      })
    } else {
      sink.fold.put(key, value, timestamp, headers, task)
    }
  }

  /** Bytes that the slice has made so far and that are not drained, about. */
  get pendingBytes(): number {
    let bytes = 0
    for (const stager of this.#stagers.values()) bytes += stager.stagedBytes
    for (const sink of this.#sinks.values()) bytes += sink.fold?.bytes ?? 0
    return bytes
  }

  /** Bytes of the batches that are full. */
  get fullBytes(): number {
    let bytes = 0
    for (const stager of this.#stagers.values()) bytes += stager.stagedBytes
    return bytes
  }

  /** Takes the batches that are full. */
  takeFull(): readonly StagedBatch[] {
    return [...this.#stagers.values()].flatMap((stager) => stager.drain(false))
  }

  /** The slice ends: table sinks give their updates. */
  settle(): void {
    for (const sink of this.#sinks.values()) {
      sink.fold?.drain((key, update) => {
        sink.stager.append(key, update.value, update.timestamp, update.headers, update.task, placing(sink, key))
        this.#counted(sink.step)
      })
    }
  }

  /** All that is not taken yet, full or not. */
  drain(): readonly StagedBatch[] {
    return [...this.#stagers.values()].flatMap((stager) => stager.drain(true))
  }

  #counted(step: string): void {
    const counts = this.#count(step)
    counts.outputs = (counts.outputs ?? 0) + 1
  }
}

function placing({ partitionBytes }: Sink, key: ByteString | null): ByteString | null {
  return key === null || partitionBytes === undefined ? key : partitionBytes(key)
}

function keySerde(node: Node): Serde<unknown> | null {
  if (node.kind === 'exchange') return node.key
  return 'topic' in node ? node.topic.key : null
}

/** The topic that a node writes to, or null. */
export function sinkTopic(node: Node): string | null {
  if (node.kind === 'stream-sink' || node.kind === 'table-sink') return node.topic.name
  if (node.kind === 'exchange' && node.published !== null) return node.published.name
  return null
}
