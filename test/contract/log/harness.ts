import type { TopicPartition } from '../../../src/core/offsets.ts'
import type { Log, StagedBatch } from '../../../src/ports/log.ts'

/** What some logs cannot do, or cannot be brought to do in a test. The tests that need it are skipped by name. */
export type LogFeature =
  | 'skip' // positions without records
  | 'transactions' // foreign, open and aborted transactions
  | 'truncate' // a log end that falls back
  | 'compact' // compaction on request
  | 'retention' // retention on request
  | 'settings' // refusing unknown settings, and showing those in force
  | 'exact end for times' // telling markers, which have a time, from records

export interface ForeignTransaction {
  append(batches: readonly StagedBatch[]): Promise<void>
  commit(): Promise<void>
  abort(): Promise<void>
}

/** One log, made for one test. */
export interface LogUnderTest {
  /** A handle of its own, as another process has it. */
  open(): Promise<Log>
  /** The name under which this test may make a topic. */
  name(topic: string): string
  /** Positions without records at the end of the partition: markers, or what compaction left. */
  skip(at: TopicPartition, offsets: number): Promise<void>
  transaction(): Promise<ForeignTransaction>
  truncate(at: TopicPartition, offset: number): Promise<void>
  dispose(): Promise<void>
}

export interface LogHarness {
  make(): Promise<LogUnderTest>
  readonly lacks?: readonly LogFeature[]
}

export function unable(feature: LogFeature): () => never {
  return () => {
    throw new Error(`this log cannot do ${feature}: list it under lacks`)
  }
}
