import type { ByteString, Bytes } from '../core/bytes.ts'
import type {
  Mark,
  Process,
  RecordContext,
  Running,
  StreamTime,
  TaskContext,
  TimedOperator,
} from '../operators/operator.ts'
import {
  fireByStreamTime,
  fireByWallClock,
  isAnyDue,
  type Punctuation,
  type PunctuationTime,
} from '../operators/punctuation.ts'
import type { KeyTimeState, KeyValueState, WindowState } from '../operators/state.ts'
import type { StepCounts } from '../ports/history.ts'
import { partitionOf } from '../wire/murmur2.ts'
import type { Graph } from './graph/graph.ts'
import { type WiredPart, wirePart } from './graph/wire-part.ts'
import type { ProcessorParts } from './processor-parts.ts'

/** One task of one sub-topology: its operators, made when its first record comes. */
export class Task implements TaskContext {
  readonly task: number
  readonly #parts: ProcessorParts
  readonly #wired: WiredPart

  constructor(part: number, task: number, parts: ProcessorParts) {
    this.task = task
    this.#parts = parts
    this.#wired = wirePart(parts.graph, part, this)
  }

  /** What takes the records of the source or exchange that is node `id`. */
  input(id: number): Process {
    const input = this.#wired.inputs.get(id)
    if (input === undefined) throw new Error(`node ${id} takes no records from outside its task`)
    return this.#wired.processors.length === 0 ? input : this.#punctuated(input)
  }

  /** Fires the punctuations of node `id` that the run's clock has reached. */
  punctuate(id: number): void {
    const hooks = this.#wired.hooksOf.get(id)
    if (hooks !== undefined) this.#apart(() => fireByWallClock(hooks.punctuations, this.now))
  }

  /** Moves the processors' time with each record, and fires what that makes due once the record is processed. */
  #punctuated(input: Process): Process {
    const { processors } = this.#wired
    const punctuations = processors.flatMap((hooks) => hooks.punctuations)
    return (key, value, old, timestamp) => {
      for (const { time } of processors) time.advance(timestamp)
      input(key, value, old, timestamp)
      if (isAnyDue(punctuations)) this.#apart(() => fireByStreamTime(punctuations))
    }
  }

  /** Does something while no input record is under way. */
  #apart(act: () => void): void {
    const { record } = this.#parts
    const before = { ...record }
    record.clear()
    act()
    record.set(before)
  }

  timed(id: number): TimedOperator | undefined {
    return this.#wired.timed.get(id)
  }

  get record(): RecordContext {
    return this.#parts.record
  }

  get running(): Running {
    return this.#parts.running
  }

  get now(): number {
    return this.#parts.now
  }

  print(line: string): void {
    this.#parts.print(line)
  }

  counts(step: string): StepCounts {
    return this.#parts.counts(step)
  }

  keyValue(store: string): KeyValueState {
    return this.#parts.stores.keyValue(store, this.task)
  }

  window(store: string): WindowState {
    const { stores, times } = this.#parts
    return stores.window(store, this.task, (task) => times.of(`${store}${NEWEST_WINDOW}`, task))
  }

  keyTime(store: string): KeyTimeState {
    const { stores, times } = this.#parts
    return stores.keyTime(store, this.task, (task) => times.of(`${store}${NEWEST_WINDOW}`, task))
  }

  punctuation(step: string, number: number, by: Punctuation['by'], firstDue: number): PunctuationTime {
    return this.#parts.punctuations.of(step, number, by, this.task, firstDue)
  }

  peers<T>(step: string): Map<number, T> {
    const { peers } = this.#parts
    let mine = peers.get(step)
    if (mine === undefined) {
      mine = new Map()
      peers.set(step, mine)
    }
    return mine as Map<number, T> // a step puts one kind of thing there
  }

  streamTime(step: string): StreamTime {
    return this.#parts.times.of(step, this.task)
  }

  mark(name: string): Mark {
    return this.#parts.times.mark(name, this.task)
  }

  exchange(
    exchange: number,
    key: ByteString | null,
    decodedKey: unknown,
    value: unknown,
    old: unknown,
    timestamp: number,
  ): void {
    const { queue, exchangePartitions, record, graph } = this.#parts
    const exchanged = queue.add()
    exchanged.exchange = exchange
    exchanged.task =
      key === null ? this.task % exchangePartitions : partitionOf(placing(graph, exchange, key), exchangePartitions)
    exchanged.key = key
    exchanged.decodedKey = decodedKey
    exchanged.value = value
    exchanged.old = old
    exchanged.timestamp = timestamp
    exchanged.headers = record.headers
    if (queue.size >= MOST_WAITING) this.#parts.relieve()
  }

  emit(sink: number, key: ByteString | null, value: Bytes | null, timestamp: number): void {
    const { emit, record } = this.#parts
    emit(sink, this.task, key, value, timestamp, record.headers)
  }
}

/**
 * Records that may wait in exchanges. Where one record sends more, as one that closes very many windows, some are processed
 * before it has sent all: at the same place in every run.
 */
const MOST_WAITING = 10_000

/** The part of a key that decides in which task its records meet. */
function placing({ nodes }: Graph, exchange: number, key: ByteString): ByteString {
  const node = nodes[exchange]
  if (node?.kind !== 'exchange' || node.key.partitionBytes === undefined) return key
  return node.key.partitionBytes(key)
}

/** Added to a store's name it names, among the stream times, the greatest time of a row ever put there. */
export const NEWEST_WINDOW = '/newest-window'
