import type { ByteString, Bytes } from '../core/bytes.ts'
import type { Headers } from '../core/headers.ts'
import type { StepCounts } from '../ports/history.ts'
import type { Punctuation, PunctuationTime } from './punctuation.ts'
import type { KeyTimeState, KeyValueState, WindowState } from './state.ts'

/**
 * One step of one task. `old` is the value before, where old values flow (undefined where they do not): only tables use
 * it. `timestamp` is the event time of this record, epoch ms. Calls are synchronous, depth first.
 *
 * Where no step below needs the decoded key or value, a source passes `UNREAD` in its place: present but not decoded.
 */
export type Process = (key: unknown, value: unknown, old: unknown, timestamp: number) => void

/** Stands for a key or value that is there and that nobody needed to decode. Never null: null is passed as null. */
export const UNREAD: unique symbol = Symbol('unread')

/** The record under processing, shared by all steps of a task. After an exchange: the record that was exchanged. */
export interface RecordContext {
  /** Where the input record came from; empty and -1 while a range's end fires. */
  readonly topic: string
  readonly partition: number
  readonly offset: number
  /** Headers of the record in flight. A step that changes them puts the old ones back after forwarding. */
  headers: Headers
  /** Key bytes of the record as its source read it, or as it was exchanged, or null. */
  readonly rawKey: ByteString | null
  /** Value bytes of the record as its source read it: `[valueStart, valueEnd)` of `bytes`, or valueStart = -1 for null. */
  readonly bytes: Uint8Array
  readonly valueStart: number
  readonly valueEnd: number
}

/** Names the step whose callback or serde runs at this moment, so that what it throws can be laid at its door. */
export interface Running {
  /** Id of the step's node, or -1 while none of the user's code runs. */
  step: number
}

/** What a step may use of the task that it runs in. */
export interface TaskContext {
  /** Number of the task. */
  readonly task: number
  readonly record: RecordContext
  readonly running: Running
  /** The run's recorded clock, epoch ms. */
  readonly now: number
  /** Prints a line for people, outside of all commits: a slice that is done again prints again. */
  print(line: string): void
  /** The counters of a step, by its name. */
  counts(step: string): StepCounts
  keyValue(store: string): KeyValueState
  window(store: string): WindowState
  keyTime(store: string): KeyTimeState
  /** Stream time of a step in this task, kept in the checkpoint; -1 before the first record. */
  streamTime(step: string): StreamTime
  /** When the punctuation of this number of a step fires next in this task, kept in the checkpoint; at first `firstDue`. */
  punctuation(step: string, number: number, by: Punctuation['by'], firstDue: number): PunctuationTime
  /** What the tasks of a step keep for each other to see, by task; nothing of it outlives the process. */
  peers<T>(step: string): Map<number, T>
  /** A number that a step keeps in this task, under a name of its own: `step/what`. */
  mark(name: string): Mark
  /** Sends a record into the exchange that is node `exchange`; it is processed after the current input record. */
  exchange(
    exchange: number,
    key: ByteString | null,
    decodedKey: unknown,
    value: unknown,
    old: unknown,
    timestamp: number,
  ): void
  /**
   * Hands a record to the sink that is node `sink`. `key` and `value` are encoded; null is Kafka's null. A stream sink's
   * `value` may lie in the input's batch: it is good during the call only.
   */
  emit(sink: number, key: ByteString | null, value: Bytes | null, timestamp: number): void
}

/** The greatest timestamp that a step has seen in a task. */
export interface StreamTime {
  readonly value: number
  /** Moves forward only; tells whether it moved. */
  advance(timestamp: number): boolean
}

/** A number, 0 or more, that the checkpoint keeps for a step; -1 stands for none. */
export interface Mark {
  value: number
}

/** A step that fires when a range's end moves time, or windows are closed by request. */
export interface TimedOperator {
  /** Moves stream time to at least `timestamp` and emits what closes. */
  advanceTime(timestamp: number): void
  /** The greatest close time of what may be open, or -1 where nothing is. */
  latestClose(): number
}

/** A step made for one task. */
export interface Operator {
  /** Takes the records of the step's parents; of the first one only, where `inputs` says so. */
  readonly process: Process
  /** One for each parent, where they differ. */
  readonly inputs?: readonly Process[]
  readonly timed?: TimedOperator
  /** Of a processor of the user's. */
  readonly processor?: ProcessorHooks
}

/** What a task has to do for a processor: records move its time, and time fires its punctuations. */
export interface ProcessorHooks {
  readonly time: StreamTime
  readonly punctuations: readonly Punctuation[]
}
