import type { ByteString, Bytes } from '../core/bytes.ts'
import type { Headers } from '../core/headers.ts'
import type { Running } from '../operators/operator.ts'
import type { Stores } from '../operators/state.ts'
import type { StepCounts } from '../ports/history.ts'
import type { Graph } from './graph/graph.ts'
import type { ExchangeQueue } from './input/exchange-queue.ts'
import type { ProcessorRecord } from './processor-record.ts'
import type { PunctuationTimes } from './punctuation-times.ts'
import type { TaskTimes } from './task-times.ts'

/**
 * Takes what sinks send. A table sink gets every update and may fold them. A stream sink's `value` is good during the
 * call only.
 */
export type Emit = (
  sink: number,
  task: number,
  key: ByteString | null,
  value: Bytes | null,
  timestamp: number,
  headers: Headers,
) => void

/** What all tasks of a processor share. */
export interface ProcessorParts {
  readonly graph: Graph
  readonly stores: Stores
  readonly times: TaskTimes
  readonly punctuations: PunctuationTimes
  /** What the tasks of a step keep for each other, by step. */
  readonly peers: Map<string, Map<number, unknown>>
  readonly queue: ExchangeQueue
  /** Processes what the record under way has sent to exchanges, to its end. */
  readonly relieve: () => void
  readonly record: ProcessorRecord
  readonly running: Running
  readonly exchangePartitions: number
  now: number
  readonly counts: (step: string) => StepCounts
  readonly emit: Emit
  readonly print: (line: string) => void
}
