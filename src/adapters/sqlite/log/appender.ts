import type { StagedBatch } from '../../../ports/log.ts'
import { stampBaseOffset } from '../../../wire/stamp.ts'
import { type AcceptedBatch, acceptBatch } from '../../log-rules/accept-batch.ts'
import { noSuchPartition, noSuchTopic } from '../../log-rules/output-errors.ts'
import type { LogTables } from './log-tables.ts'
import type { PartitionRow, TopicRow } from './topic-rows.ts'

interface Target {
  readonly row: PartitionRow
  end: number
}

/** Appends batches inside one transaction: topics are looked up once, and high watermarks written once, at the end. */
export class Appender {
  readonly #tables: LogTables
  readonly #topics = new Map<string, TopicRow | undefined>()
  readonly #targets = new Map<string, Target[]>()

  constructor(tables: LogTables) {
    this.#tables = tables
  }

  /** Throws OUTPUT_REFUSED or RECORD_BATCH_CORRUPT. */
  accept(batch: StagedBatch): AcceptedBatch {
    return acceptBatch(batch, this.#topic(batch.topic))
  }

  /** A batch without records is a hole. Throws OUTPUT_REFUSED when its topic has gone since it was accepted. */
  append(batch: AcceptedBatch): void {
    const target = this.#target(batch)
    const next = target.end + batch.offsets
    if (batch.records > 0) {
      stampBaseOffset(batch.bytes, target.end)
      this.#tables.batches.insert(target.row.number, target.end, next, batch.maxTimestamp, batch.bytes)
    }
    target.end = next
  }

  finish(): void {
    for (const targets of this.#targets.values()) {
      for (const { row, end } of targets) {
        if (end > row.highWatermark) this.#tables.topics.setHighWatermark(row, end)
      }
    }
  }

  #topic(name: string): TopicRow | undefined {
    if (!this.#topics.has(name)) this.#topics.set(name, this.#tables.topics.find(name))
    return this.#topics.get(name)
  }

  #target({ topic, partition }: AcceptedBatch): Target {
    let targets = this.#targets.get(topic)
    if (targets === undefined) {
      const found = this.#topic(topic)
      if (found === undefined) throw noSuchTopic(topic)
      targets = this.#tables.topics.partitions(found).map((row) => ({ row, end: row.highWatermark }))
      this.#targets.set(topic, targets)
    }
    const target = targets[partition]
    if (target === undefined) throw noSuchPartition({ topic, partition }, targets.length)
    return target
  }
}
