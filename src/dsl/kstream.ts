import type { Serde } from '../serde/serde.ts'
import type { SettingsOf } from '../topology/draft.ts'
import type { JoinWindows } from '../topology/join-windows.ts'
import { checkedName } from '../topology/names.ts'
import type { RecordMetadata } from '../topology/record-metadata.ts'
import { BranchedKStream } from './branched-kstream.ts'
import { exchangedAs } from './exchanged.ts'
import { GlobalKTable } from './global-ktable.ts'
import type { GraceJoinOptions, JoinedSerdesFor } from './join-serdes.ts'
import { type GraceOptions, joinedWithGlobalTable, joinedWithTable } from './joined-stream.ts'
import { type JoinedSerdes, joinedStreams } from './joined-streams.ts'
import { KGroupedStream } from './kgrouped-stream.ts'
import { known } from './known.ts'
import { KTable, type LookupTable, type VersionedTable } from './ktable.ts'
import {
  type KnownIfGiven,
  type NoStores,
  type ProcessArguments,
  type ProcessOptions,
  type ProcessorInit,
  processArguments,
  type ValueProcessorInit,
} from './processor/process-options.ts'
import { processedStep } from './processor/processed-step.ts'
import type { StoreSpecs } from './processor/store-spec.ts'
import type { RepartitionOptions, RepartitionSerdes } from './repartition-options.ts'
import { requireSameSize } from './require-same-size.ts'
import { sameJob } from './same-job.ts'
import type { BothKnown, GivenSerde, SerdeFor, SerdeKnown } from './serde-known.ts'
import { at, type Step } from './step.ts'
import { sunkByTopic } from './sunk-by-topic.ts'
import { type GivenTableOptions, tableOfStream, type VersionedTableOptions } from './to-table.ts'
import type { SinkTopic } from './topic.ts'
import { whereOfCall } from './where-of-call.ts'

declare const holds: unique symbol

type Mapper = SettingsOf<'select-key'>['mapper']
type Joiner = SettingsOf<'stream-table-join'>['joiner']
type Joinable = { readonly [at]: Step }
type StreamJoinArguments = [joiner: Joiner, windows: JoinWindows, name: string, serdes?: JoinedSerdes]

/** A stream of records. Callbacks take `(value, key)`, and see null only where the stream's topic may hold it. */
export class KStream<K, V, KeySerde extends SerdeKnown = 'serde', ValueSerde extends SerdeKnown = 'serde'> {
  readonly [at]: Step
  declare readonly [holds]?: readonly [key: K, value: V, KeySerde, ValueSerde]

  constructor(step: Step) {
    this[at] = step
  }

  /** Keeps the records for which `predicate` holds. */
  filter<V2 extends V>(predicate: (value: V, key: K) => value is V2): KStream<K, V2, KeySerde, ValueSerde>
  filter(predicate: (value: V, key: K) => boolean): KStream<K, V, KeySerde, ValueSerde>
  filter(predicate: (value: V, key: K) => boolean): KStream<K, V, KeySerde, ValueSerde> {
    return new KStream(this.#then({ kind: 'filter', where: whereOfCall(), predicate, negate: false }))
  }

  /** Keeps the records for which `predicate` does not hold. */
  filterNot(predicate: (value: V, key: K) => boolean): KStream<K, V, KeySerde, ValueSerde> {
    return new KStream(this.#then({ kind: 'filter', where: whereOfCall(), predicate, negate: true }))
  }

  /** Another key and value for each record. A serde for the keys is needed where a later step needs their bytes. */
  map<R, V2>(mapper: (value: V, key: K) => readonly [key: R, value: V2]): KStream<R, V2, 'no serde', 'no serde'>
  map<K2, R extends K2 | null, V2>(
    mapper: (value: V, key: K) => readonly [key: R, value: V2],
    serde: SerdeFor<K2>,
  ): KStream<K2 | Extract<R, null>, V2, 'serde', 'no serde'>
  map(
    mapper: (value: V, key: K) => readonly [key: unknown, value: unknown],
    serde: Serde<unknown> | null = null,
  ): KStream<unknown, unknown, SerdeKnown, 'no serde'> {
    const step = this.#then({ kind: 'map', where: whereOfCall(), mapper })
    return new KStream({ ...step, key: serde, value: null, rekeyed: true })
  }

  /** Another value for each record. */
  mapValues<V2>(mapper: (value: V, key: K) => V2): KStream<K, V2, KeySerde, 'no serde'> {
    return new KStream({ ...this.#then({ kind: 'map-values', where: whereOfCall(), mapper }), value: null })
  }

  /** Any number of records, with keys and values of their own, for each record. */
  flatMap<R, V2>(
    mapper: (value: V, key: K) => Iterable<readonly [key: R, value: V2]>,
  ): KStream<R, V2, 'no serde', 'no serde'>
  flatMap<K2, R extends K2 | null, V2>(
    mapper: (value: V, key: K) => Iterable<readonly [key: R, value: V2]>,
    serde: SerdeFor<K2>,
  ): KStream<K2 | Extract<R, null>, V2, 'serde', 'no serde'>
  flatMap(
    mapper: (value: V, key: K) => Iterable<readonly [key: unknown, value: unknown]>,
    serde: Serde<unknown> | null = null,
  ): KStream<unknown, unknown, SerdeKnown, 'no serde'> {
    const step = this.#then({ kind: 'flat-map', where: whereOfCall(), mapper })
    return new KStream({ ...step, key: serde, value: null, rekeyed: true })
  }

  /** Any number of values, under the same key, for each record. */
  flatMapValues<V2>(mapper: (value: V, key: K) => Iterable<V2>): KStream<K, V2, KeySerde, 'no serde'> {
    return new KStream({ ...this.#then({ kind: 'flat-map-values', where: whereOfCall(), mapper }), value: null })
  }

  /** Another key for each record. A serde for it is needed where a later step needs its bytes. */
  selectKey<R>(mapper: (value: V, key: K) => R): KStream<R, V, 'no serde', ValueSerde>
  selectKey<K2, R extends K2 | null>(
    mapper: (value: V, key: K) => R,
    serde: SerdeFor<K2>,
  ): KStream<K2 | Extract<R, null>, V, 'serde', ValueSerde>
  selectKey(
    mapper: (value: V, key: K) => unknown,
    serde: Serde<unknown> | null = null,
  ): KStream<unknown, V, SerdeKnown, ValueSerde> {
    return new KStream({ ...this.#rekeyed(mapper), key: serde })
  }

  /** Calls `action` for each record, and passes it on. */
  peek(action: (value: V, key: K) => void): KStream<K, V, KeySerde, ValueSerde> {
    return new KStream(this.#then({ kind: 'peek', where: whereOfCall(), action }))
  }

  /** The records of both streams. */
  merge<K2, V2, Key2 extends SerdeKnown, Value2 extends SerdeKnown>(
    other: KStream<K2, V2, Key2, Value2>,
  ): KStream<K | K2, V | V2, BothKnown<KeySerde, Key2>, BothKnown<ValueSerde, Value2>> {
    const where = whereOfCall()
    const [one, two] = [this[at], sameJob(this[at], other[at], where)]
    const node = one.draft.add({ kind: 'merge', where }, [one.node, two.node])
    return new KStream({
      draft: one.draft,
      node,
      key: one.key === two.key ? one.key : null,
      value: one.value === two.value ? one.value : null,
      rekeyed: one.rekeyed || two.rekeyed || otherBytes(one.key, two.key),
    })
  }

  /** Groups the records by their key. */
  groupByKey(...[serde]: GivenSerde<KeySerde, NonNullable<K>>): KGroupedStream<NonNullable<K>, V, ValueSerde> {
    const step = this[at]
    const key = known(serde ?? step.key, 'the serde of the keys', whereOfCall())
    return new KGroupedStream({ ...step, key, rekeyed: step.rekeyed || otherBytes(step.key, key) })
  }

  /** Groups the records by another key; those with a null key are in no group. */
  groupBy<K2, R extends K2 | null>(
    mapper: (value: V, key: K) => R,
    serde: SerdeFor<K2>,
  ): KGroupedStream<K2, V, ValueSerde> {
    return new KGroupedStream({ ...this.#rekeyed(mapper), key: known(serde, 'the serde of the keys', whereOfCall()) })
  }

  /** The stream read as changes of a table, in a store of this name. With a `historyRetention` it is versioned. */
  toTable(
    this: KStream<K, V, 'serde', ValueSerde>,
    name: string,
    ...serde: GivenSerde<ValueSerde, NonNullable<V>>
  ): KTable<NonNullable<K>, NonNullable<V>, null>
  toTable(
    this: KStream<K, V, 'serde', ValueSerde>,
    name: string,
    options: VersionedTableOptions<ValueSerde, NonNullable<V>>,
  ): KTable<NonNullable<K>, NonNullable<V>, null, 'serde', 'serde', 'versions'>
  toTable(name: string, given?: Serde<unknown> | GivenTableOptions): unknown {
    return new KTable(tableOfStream(this[at], name, given, whereOfCall()))
  }

  /**
   * Each record with the table's value for its key, where there is one; of a global table, for the key that it gives; of
   * a versioned one, as it was at the record's time. With a name and a grace, records wait for late updates of the table.
   */
  join<V2, R>(
    table: LookupTable<NonNullable<K>, V2>,
    joiner: (value: NonNullable<V>, other: V2, key: NonNullable<K>) => R,
  ): KStream<NonNullable<K>, R, 'serde', 'no serde'>
  join<V2, R>(
    table: VersionedTable<NonNullable<K>, V2>,
    joiner: (value: NonNullable<V>, other: V2, key: NonNullable<K>) => R,
    name: string,
    options: GraceJoinOptions<ValueSerde, NonNullable<V>>,
  ): KStream<NonNullable<K>, R, 'serde', 'no serde'>
  join<K2, V2, R>(
    table: GlobalKTable<K2, V2>,
    keyOf: (value: NonNullable<V>, key: K) => K2 | null,
    joiner: (value: NonNullable<V>, other: V2, key: K) => R,
  ): KStream<K, R, KeySerde, 'no serde'>
  join<V2, R, Value2 extends SerdeKnown>(
    this: KStream<K, V, 'serde', ValueSerde>,
    stream: KStream<K | null, V2, 'serde', Value2>,
    joiner: (value: NonNullable<V>, other: NonNullable<V2>, key: NonNullable<K>) => R,
    windows: JoinWindows,
    name: string,
    ...serdes: JoinedSerdesFor<ValueSerde, V, Value2, V2>
  ): KStream<NonNullable<K>, R, 'serde', 'no serde'>
  join(other: Joinable, ...given: readonly unknown[]): unknown {
    return new KStream(this.#joined(other, given, false))
  }

  /** As `join`, but a record that finds no value is there too, with null. A record without key has null. */
  leftJoin<V2, R>(
    table: LookupTable<NonNullable<K>, V2>,
    joiner: (value: NonNullable<V>, other: V2 | null, key: K) => R,
  ): KStream<K, R, 'serde', 'no serde'>
  leftJoin<V2, R>(
    table: VersionedTable<NonNullable<K>, V2>,
    joiner: (value: NonNullable<V>, other: V2 | null, key: K) => R,
    name: string,
    options: GraceJoinOptions<ValueSerde, NonNullable<V>>,
  ): KStream<K, R, 'serde', 'no serde'>
  leftJoin<K2, V2, R>(
    table: GlobalKTable<K2, V2>,
    keyOf: (value: NonNullable<V>, key: K) => K2 | null,
    joiner: (value: NonNullable<V>, other: V2 | null, key: K) => R,
  ): KStream<K, R, KeySerde, 'no serde'>
  leftJoin<V2, R, Value2 extends SerdeKnown>(
    this: KStream<K, V, 'serde', ValueSerde>,
    stream: KStream<K | null, V2, 'serde', Value2>,
    joiner: (value: NonNullable<V>, other: NonNullable<V2> | null, key: K) => R,
    windows: JoinWindows,
    name: string,
    ...serdes: JoinedSerdesFor<ValueSerde, V, Value2, V2>
  ): KStream<K, R, 'serde', 'no serde'>
  leftJoin(other: Joinable, ...given: readonly unknown[]): unknown {
    return new KStream(this.#joined(other, given, true))
  }

  /** The pairs of records of two streams, and those that none matches, with null: once it is certain that none will. */
  outerJoin<K2 extends K | null, V2, R, Value2 extends SerdeKnown>(
    this: KStream<K, V, 'serde', ValueSerde>,
    stream: KStream<K2, V2, 'serde', Value2>,
    joiner: (value: NonNullable<V> | null, other: NonNullable<V2> | null, key: K | K2) => R,
    windows: JoinWindows,
    name: string,
    ...[serdes]: JoinedSerdesFor<ValueSerde, V, Value2, V2>
  ): KStream<K | K2, R, 'serde', 'no serde'> {
    return new KStream(joinedStreams(this[at], stream[at], 'outer', joiner, windows, name, serdes ?? {}, whereOfCall()))
  }

  /** Cuts the stream into branches with names: add them with `branch`, and end with `defaultBranch` or `noDefaultBranch`. */
  split(): BranchedKStream<K, V, KeySerde, ValueSerde, unknown> {
    return new BranchedKStream(this[at], whereOfCall())
  }

  /** Brings records of equal keys together, in an exchange of this name. Records without key are left out. */
  repartition<Given extends RepartitionSerdes<K, V>>(
    name: string,
    ...[serdes]: RepartitionOptions<KeySerde, K, V, Given>
  ): KStream<NonNullable<K>, V, 'serde', Given extends { readonly value: object } ? 'serde' : ValueSerde> {
    const where = whereOfCall()
    const given = checkedName(name, 'an exchange', where)
    const step = this[at]
    const key = known(serdes?.key ?? step.key, `the serde of the keys of ${given}`, where)
    return new KStream(exchangedAs(given, { ...step, value: serdes?.value ?? step.value }, key, where))
  }

  /**
   * Each record through a processor of your own, with stores and punctuations, made by `init` for each task. It forwards
   * any records; say which, as in `(context, forward: Forward<string, number>) => …`, or give their serdes.
   */
  process<K2 = never, V2 = never>(
    name: string,
    init: ProcessorInit<NoStores, K, V, K2, V2>,
  ): KStream<K2, V2, 'no serde', 'no serde'>
  process<Stores extends StoreSpecs = NoStores, K2 = never, V2 = never, KeyGiven = undefined, ValueGiven = undefined>(
    name: string,
    options: ProcessOptions<Stores, K2, KeyGiven, V2, ValueGiven>,
    init: ProcessorInit<Stores, K, V, K2, V2>,
  ): KStream<K2, V2, KnownIfGiven<KeyGiven>, KnownIfGiven<ValueGiven>>
  process(name: string, ...given: ProcessArguments): unknown {
    const [init, { stores = {}, key = null, value = null }] = processArguments(given)
    return new KStream({ ...processedStep(this[at], name, stores, init, false), key, value, rekeyed: true })
  }

  /** As `process`, for one that forwards values under the key of the record that it works on. */
  processValues<V2 = never>(
    name: string,
    init: ValueProcessorInit<NoStores, K, V, V2>,
  ): KStream<K, V2, KeySerde, 'no serde'>
  processValues<Stores extends StoreSpecs = NoStores, V2 = never, ValueGiven = undefined>(
    name: string,
    options: Omit<ProcessOptions<Stores, never, undefined, V2, ValueGiven>, 'key'>,
    init: ValueProcessorInit<Stores, K, V, V2>,
  ): KStream<K, V2, KeySerde, KnownIfGiven<ValueGiven>>
  processValues(name: string, ...given: ProcessArguments): unknown {
    const [init, { stores = {}, value = null }] = processArguments(given)
    return new KStream({ ...processedStep(this[at], name, stores, init, true), value })
  }

  /** Calls `action` for each record. Nothing follows. */
  foreach(action: (value: V, key: K) => void): void {
    this.#then({ kind: 'foreach', where: whereOfCall(), action })
  }

  /** Prints each record as a line, `[label]: key, value`: on stdout, or on stderr where that is asked to hold JSON. */
  print(label: string): void {
    this.#then({ kind: 'print', where: whereOfCall(), label })
  }

  /** Writes every record to a topic. */
  to(topic: SinkTopic<K, V>): void
  /** Writes every record to one of these topics: the one that `choose` gives back. */
  to<Topic extends SinkTopic<K, V>>(
    topics: readonly Topic[],
    choose: (value: V, key: K, record: RecordMetadata) => NoInfer<Topic>,
  ): void
  to(topic: SinkTopic<K, V> | readonly SinkTopic<K, V>[], choose?: SettingsOf<'choose-topic'>['choose']): void {
    const where = whereOfCall()
    for (const each of 'name' in topic ? [topic] : topic) requireSameSize(this[at].key, each, where)
    if ('name' in topic) this.#then({ kind: 'stream-sink', where, topic })
    else if (choose !== undefined) sunkByTopic(this[at], topic, choose, where)
  }

  #then(settings: Parameters<Step['draft']['add']>[0]): Step {
    const step = this[at]
    return { ...step, node: step.draft.add(settings, [step.node]) }
  }

  #rekeyed(mapper: Mapper): Step {
    return { ...this.#then({ kind: 'select-key', where: whereOfCall(), mapper }), rekeyed: true }
  }

  #joined(other: Joinable, given: readonly unknown[], left: boolean): Step {
    const where = whereOfCall()
    if (other instanceof KStream) {
      const [joiner, windows, name, serdes] = given as StreamJoinArguments
      return joinedStreams(this[at], other[at], left ? 'left' : 'inner', joiner, windows, name, serdes ?? {}, where)
    }
    if (other instanceof GlobalKTable) {
      const [keyOf, joiner] = given as [keyOf: Mapper, joiner: Joiner]
      return joinedWithGlobalTable(this[at], other[at], keyOf, joiner, left, where)
    }
    const [joiner, name, grace] = given as [joiner: Joiner, name?: string, grace?: GraceOptions]
    return joinedWithTable(this[at], other[at], joiner, left, where, name, grace)
  }
}

/** True where equal keys are different bytes, so that they may lie in different partitions. */
function otherBytes(one: Serde<unknown> | null, two: Serde<unknown> | null): boolean {
  return one !== null && two !== null && one.format !== two.format
}
