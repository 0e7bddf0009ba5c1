import type { Process, RecordContext } from '../operators/operator.ts'
import type { Stores } from '../operators/state.ts'
import { streamTimeNames } from '../operators/stream-time-names.ts'
import { isTimed } from '../operators/timed.ts'
import type { StepCounts } from '../ports/history.ts'
import type { Topology } from '../topology/topology.ts'
import { graphOf } from './graph/graph.ts'
import { ExchangeQueue } from './input/exchange-queue.ts'
import type { ExchangedRecord } from './input/exchanged-record.ts'
import { failureOf } from './processor-failure.ts'
import type { Emit, ProcessorParts } from './processor-parts.ts'
import { ProcessorRecord } from './processor-record.ts'
import { PunctuationTimes } from './punctuation-times.ts'
import { roundTrip } from './round-trip.ts'
import { Task } from './task.ts'
import { TaskTimes } from './task-times.ts'

export interface ProcessorEnv {
  readonly topology: Topology
  readonly stores: Stores
  /** Partitions of every exchange. */
  readonly exchangePartitions: number
  /** The run's recorded clock, epoch ms. */
  readonly now: number
  /** As `streamTimes` gave them, by `step/task`. */
  readonly streamTimes: Readonly<Record<string, number>>
  /** As `punctuations` gave them. Default: none was ever set. */
  readonly punctuations?: Readonly<Record<string, number>>
  /** The counters of a step; may be another object after each slice. */
  readonly counts: (step: string) => StepCounts
  readonly emit: Emit
  /** Takes what the job prints. Default: nowhere. */
  readonly print?: (line: string) => void
  /** For tests: exchanges encode keys and values and read them again. Default false. */
  readonly roundTripExchanges?: boolean
}

/**
 * Runs a topology: takes input records one by one and processes each to its end, exchanges included. Synchronous, and
 * the same calls give the same results. All it knows beside the stores are stream times: after a failure, or to go back
 * to a checkpoint, make another.
 */
export class Processor {
  readonly #parts: ProcessorParts
  readonly #roundTrips: boolean
  /** By node id of the source or exchange, then by task. */
  readonly #inputs: Process[][]
  /** By sub-topology, then by task. */
  readonly #tasks: Map<number, Task>[]

  constructor(env: ProcessorEnv) {
    const graph = graphOf(env.topology)
    const record = new ProcessorRecord()
    this.#parts = {
      graph,
      stores: env.stores,
      times: new TaskTimes(env.streamTimes, record),
      punctuations: new PunctuationTimes(env.punctuations ?? {}),
      peers: new Map(),
      queue: new ExchangeQueue(),
      relieve: () => this.#relieve(),
      record,
      running: { step: -1 },
      exchangePartitions: env.exchangePartitions,
      now: env.now,
      counts: env.counts,
      emit: env.emit,
      print: env.print ?? (() => {}),
    }
    this.#roundTrips = env.roundTripExchanges === true
    this.#inputs = graph.nodes.map(() => [])
    this.#tasks = graph.parts.map(() => new Map())
  }

  /**
   * Processes one record of the source that is node `source` to its end. `key` and `value` are decoded, `UNREAD` where
   * no step needs that, or null. `record` may be used again after the call. Throws USER_CODE_FAILED for what user code
   * throws, and what serdes, stores and sinks throw, with step and record as its place; then state and outputs are half
   * done and to be given up.
   */
  feed(
    source: number,
    partition: number,
    record: RecordContext,
    key: unknown,
    value: unknown,
    timestamp: number,
  ): void {
    const { record: current, queue } = this.#parts
    current.set(record)
    try {
      const input = this.#inputs[source]?.[partition] ?? this.#open(source, partition)
      input(key, value, undefined, timestamp)
      if (queue.size > 0) this.#drain()
    } catch (error) {
      throw failureOf(error, this.#parts)
    }
  }

  /** Sets the recorded clock, epoch ms, where another range begins. */
  setNow(now: number): void {
    this.#parts.now = now
  }

  /** Makes the task of a partition of the source that is node `source`, if it has not had a record yet. */
  meet(source: number, partition: number): void {
    this.#task(this.#parts.graph.partOf[source] ?? -1, partition)
  }

  /** Moves stream time to at least `timestamp` in all tasks that were met or are an exchange's, and emits what that closes. */
  advanceTime(timestamp: number): void {
    this.#atEnd((task, id) => task.timed(id)?.advanceTime(timestamp), true)
  }

  /** Closes all windows that are open: moves each step's stream time to the latest close time in it. */
  closeWindows(): void {
    this.#atEnd((task, id) => {
      const timed = task.timed(id)
      const close = timed?.latestClose() ?? -1
      if (close >= 0) timed?.advanceTime(close)
    }, false)
  }

  /** Fires the punctuations by wall clock that the run's clock has reached. */
  punctuate(): void {
    this.#atEnd((task, id) => task.punctuate(id), false)
  }

  /** When each punctuation fires next. */
  punctuations(): Record<string, number> {
    return this.#parts.punctuations.snapshot()
  }

  /** All stream times, by `step/task`, and under names of their own what stores need to know of time. */
  streamTimes(): Record<string, number> {
    return this.#parts.times.snapshot()
  }

  /** The record that moved the greatest stream time last, `topic[partition]@offset`; null where none has yet. */
  streamTimeMovedBy(): string | null {
    return this.#parts.times.movedBy()
  }

  /** Fires timed steps in the order of nodes, then tasks, each drained before the next. */
  #atEnd(fire: (task: Task, id: number) => void, everywhere: boolean): void {
    const { graph, record } = this.#parts
    record.clear()
    try {
      for (const { id } of graph.nodes.filter(isTimed)) {
        for (const number of this.#tasksOf(id, everywhere)) {
          fire(this.#task(graph.partOf[id] ?? -1, number), id)
          this.#drain()
          record.clear()
        }
      }
    } catch (error) {
      throw failureOf(error, this.#parts)
    }
  }

  /** The tasks in which a timed step has been, here or before a restart; those of an exchange all, where asked. */
  #tasksOf(id: number, everywhere: boolean): readonly number[] {
    const { graph, times, exchangePartitions } = this.#parts
    const node = graph.nodes[id]
    const part = graph.partOf[id] ?? -1
    const tasks = new Set(node === undefined ? [] : streamTimeNames(node).flatMap((name) => times.tasksOf(name)))
    for (const number of this.#tasks[part]?.keys() ?? []) tasks.add(number)
    if (everywhere && graph.parts[part]?.some(({ kind }) => kind === 'exchange')) {
      for (let number = 0; number < exchangePartitions; number++) tasks.add(number)
    }
    return [...tasks].sort((left, right) => left - right)
  }

  #drain(): void {
    const { queue } = this.#parts
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      queue.mark = queue.end
      this.#pass(next)
    }
  }

  /**
   * Makes room while a record is being processed: what it has sent is processed, each record to its end. The steps that
   * are at work are not reached by that, since a topology has no circles.
   */
  #relieve(): void {
    const { queue, record, running } = this.#parts
    const { mark } = queue
    const { rawKey, headers } = record
    const { step } = running
    this.#drainFrom(mark)
    queue.mark = mark
    record.rawKey = rawKey
    record.headers = headers
    running.step = step
  }

  #drainFrom(from: number): void {
    const { queue } = this.#parts
    const { end } = queue
    for (let at = from; at < end; at++) {
      queue.mark = end
      this.#pass(queue.at(at))
      this.#drainFrom(end)
    }
    queue.cut(from)
  }

  #pass(exchanged: ExchangedRecord): void {
    const { record, graph } = this.#parts
    const input = this.#inputs[exchanged.exchange]?.[exchanged.task] ?? this.#open(exchanged.exchange, exchanged.task)
    if (this.#roundTrips) roundTrip(graph.nodes[exchanged.exchange], exchanged)
    record.rawKey = exchanged.key
    record.headers = exchanged.headers
    input(exchanged.decodedKey, exchanged.value, exchanged.old, exchanged.timestamp)
  }

  #open(id: number, number: number): Process {
    const input = this.#task(this.#parts.graph.partOf[id] ?? -1, number).input(id)
    const inputs = this.#inputs[id]
    if (inputs === undefined) throw new Error(`there is no node ${id}`)
    inputs[number] = input
    return input
  }

  #task(part: number, number: number): Task {
    const tasks = this.#tasks[part]
    if (tasks === undefined) throw new Error(`there is no sub-topology ${part}`)
    let task = tasks.get(number)
    if (task === undefined) {
      task = new Task(part, number, this.#parts)
      tasks.set(number, task)
    }
    return task
  }
}
