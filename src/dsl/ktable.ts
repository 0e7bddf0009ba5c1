import type { Windowed } from '../core/windowed.ts'
import type { Serde } from '../serde/serde.ts'
import type { SettingsOf } from '../topology/draft.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import { checkedName } from '../topology/names.ts'
import type { Where } from '../topology/nodes.ts'
import { type ForeignKeyJoin, type ForeignKeySerdes, foreignKeyJoined } from './foreign-key-joined.ts'
import { joinedTables } from './joined-tables.ts'
import type { KGroupedTable } from './kgrouped-table.ts'
import { known } from './known.ts'
import type { KStream } from './kstream.ts'
import type { NoStores } from './processor/process-options.ts'
import type { StoreSpecs } from './processor/store-spec.ts'
import { requireSameSize } from './require-same-size.ts'
import type { GivenSerde, SerdeFor, SerdeKnown } from './serde-known.ts'
import { at, type Step } from './step.ts'
import type { UntilTimeLimit, UntilWindowCloses } from './suppressed.ts'
import { suppressedStep } from './suppressed-step.ts'
import type { SinkTopic } from './topic.ts'
import {
  type AnyTransformerInit,
  type TransformerInit,
  type TransformOptions,
  transformedValues,
} from './transformed-values.ts'
import { whereOfCall } from './where-of-call.ts'

declare const looksUp: unique symbol
declare const joins: unique symbol
declare const looksBack: unique symbol
declare const holds: unique symbol

/** A table as a stream sees it that joins it by key. */
export interface LookupTable<K, V> {
  readonly [at]: Step
  readonly [looksUp]: (key: K) => V
}

/** A table as another one sees it that joins it by key. `Deletes` is null where its entries can be deleted. */
export interface JoinableTable<in K, out V, out Deletes extends null> {
  readonly [at]: Step
  readonly [joins]: (key: K) => readonly [value: V, deletes: Deletes]
}

/** A versioned table as a stream sees it that joins it by key, later than its records came. */
export interface VersionedTable<K, V> extends LookupTable<K, V> {
  readonly [looksBack]: (key: K) => V
}

/** The type of `looksUp` where the keys have no bytes to look up by. */
interface NotByKey {
  readonly reason: 'a windowed table cannot be looked up by key'
}

/** The type of `looksBack` where the table has its latest rows only. */
interface NotVersioned {
  readonly reason: 'the table has no history: give it a historyRetention'
}

/** Whether a table knows earlier versions of its rows, or the latest only. */
export type TableRows = 'versions' | 'latest'

export interface TableSinkOptions {
  /** This job alone writes the topic, so that a later version of the job may correct it. */
  readonly owner?: boolean
}

type Joiner = SettingsOf<'table-table-join'>['joiner']
type Joinable = { readonly [at]: Step }
type ForeignKeyArguments = [
  foreignKey: ForeignKeyJoin['foreignKey'],
  joiner: Joiner,
  name: string,
  serdes?: ForeignKeySerdes,
]

/** The serde of the left values of a foreign-key join, which has to be given where none is known. */
export type ForeignKeySerdesFor<Known extends SerdeKnown, V> = Known extends 'serde'
  ? { readonly left?: SerdeFor<V> }
  : { readonly left: SerdeFor<V> }

/**
 * A table: the latest value of each key; a versioned one remembers for a while which value a key had when. Every change is sent on; `Deletes` is null where an entry can be deleted, and
 * never where it cannot. Callbacks take `(value, key)` and never see a delete.
 */
export class KTable<
  K,
  V,
  Deletes extends null = null,
  KeySerde extends SerdeKnown = 'serde',
  ValueSerde extends SerdeKnown = 'serde',
  Rows extends TableRows = 'latest',
> {
  readonly [at]: Step
  declare readonly [looksUp]: KeySerde extends 'serde' ? (key: K) => V : NotByKey
  declare readonly [looksBack]: Rows extends 'versions' ? (key: K) => V : NotVersioned
  declare readonly [joins]: (key: K) => readonly [value: V, deletes: Deletes]
  declare readonly [holds]?: readonly [key: K, value: V, deletes: Deletes, KeySerde, ValueSerde, Rows]

  constructor(step: Step) {
    this[at] = step
  }

  /** Keeps the entries for which `predicate` holds; others are deleted downstream. With a name: in a store. */
  filter(predicate: (value: V, key: K) => boolean): KTable<K, V, null, KeySerde, ValueSerde, Rows>
  filter(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    predicate: (value: V, key: K) => boolean,
    name: string,
    ...serde: GivenSerde<ValueSerde, V>
  ): KTable<K, V, null>
  filter(predicate: (value: V, key: K) => boolean, name?: string, serde?: Serde<unknown>): unknown {
    return new KTable(this.#filtered(predicate, false, name, serde))
  }

  /** Keeps the entries for which `predicate` does not hold. With a name: in a store. */
  filterNot(predicate: (value: V, key: K) => boolean): KTable<K, V, null, KeySerde, ValueSerde, Rows>
  filterNot(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    predicate: (value: V, key: K) => boolean,
    name: string,
    ...serde: GivenSerde<ValueSerde, V>
  ): KTable<K, V, null>
  filterNot(predicate: (value: V, key: K) => boolean, name?: string, serde?: Serde<unknown>): unknown {
    return new KTable(this.#filtered(predicate, true, name, serde))
  }

  /** Another value for each entry; null deletes it. With a name and a serde: in a store. */
  mapValues<R>(
    mapper: (value: V, key: K) => R,
  ): KTable<K, NonNullable<R>, Deletes | Extract<R, null>, KeySerde, 'no serde', Rows>
  mapValues<R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    mapper: (value: V, key: K) => R,
    name: string,
    serde: SerdeFor<NonNullable<R>>,
  ): KTable<K, NonNullable<R>, Deletes | Extract<R, null>>
  mapValues(mapper: (value: V, key: K) => unknown, name?: string, serde?: Serde<unknown>): unknown {
    const where = whereOfCall()
    const step = this[at]
    const store = name === undefined ? null : this.#store(name, serde ?? null, where)
    const settings = { kind: 'table-map-values', where, mapper, store } as const
    return new KTable({ ...step, node: step.draft.add(settings, [step.node], name ?? null), value: serde ?? null })
  }

  /**
   * Another value for each entry, made by a transformer with stores and a clock of its own: made by `init` for each task, it
   * sees every change, deletes too, and what it makes of it is kept in a store of this name. Null deletes.
   */
  transformValues<R, Stores extends StoreSpecs = NoStores>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    name: string,
    options: TransformOptions<Stores, NonNullable<R>>,
    init: TransformerInit<Stores, K, V | Deletes, R>,
  ): KTable<K, NonNullable<R>, Extract<R, null>>
  transformValues(
    name: string,
    { value, stores = {} }: TransformOptions<StoreSpecs, unknown>,
    init: AnyTransformerInit,
  ): unknown {
    return new KTable(transformedValues(this[at], { name, stores, value, init }, whereOfCall()))
  }

  /** Every change as a record; a delete is one without value. With a mapper: under another key. */
  toStream(): KStream<K, V | Deletes, KeySerde, ValueSerde>
  toStream<R>(mapper: (value: V | Deletes, key: K) => R): KStream<R, V | Deletes, 'no serde', ValueSerde>
  toStream<K2, R extends K2 | null>(
    mapper: (value: V | Deletes, key: K) => R,
    serde: SerdeFor<K2>,
  ): KStream<K2 | Extract<R, null>, V | Deletes, 'serde', ValueSerde>
  toStream(
    mapper: ((value: V | Deletes, key: K) => unknown) | null = null,
    serde: Serde<unknown> | null = null,
  ): unknown {
    const step = this[at]
    const node = step.draft.add({ kind: 'to-stream', where: whereOfCall(), mapper }, [step.node])
    return step.draft.make.stream(mapper === null ? { ...step, node } : { ...step, node, key: serde, rekeyed: true })
  }

  /** Regroups the entries under new keys and values; an entry whose new key is null is in no group. */
  groupBy<K2, V2, R extends K2 | null>(
    mapper: (value: V, key: K) => readonly [key: R, value: V2],
    serde: SerdeFor<K2>,
  ): KGroupedTable<K2, V2> {
    const step = this[at]
    const settings = { kind: 'table-group-by', where: whereOfCall(), mapper, key: serde } as const
    const node = step.draft.add(settings, [step.node])
    return step.draft.make.groupedTable({ ...step, node, key: serde, value: null, rekeyed: true })
  }

  /**
   * The keys that both tables have, with what `joiner` makes of both values. With a name and a serde: in a store. With a
   * foreign key: each entry with the other table's one that it refers to, which may change under either; a change of
   * one of the other table's changes all that refer to it. Its name is that of its store of references.
   */
  join<V2, Deletes2 extends null, R>(
    other: JoinableTable<K, V2, Deletes2>,
    joiner: (value: V, other: V2, key: K) => R,
  ): KTable<K, NonNullable<R>, Deletes | Deletes2 | Extract<R, null>, KeySerde, 'no serde'>
  join<V2, Deletes2 extends null, R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    other: JoinableTable<K, V2, Deletes2>,
    joiner: (value: V, other: V2, key: K) => R,
    name: string,
    serde: SerdeFor<NonNullable<R>>,
  ): KTable<K, NonNullable<R>, Deletes | Deletes2 | Extract<R, null>>
  join<K2, V2, R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    other: LookupTable<K2, V2>,
    foreignKey: (value: V, key: K) => K2 | null,
    joiner: (value: V, other: V2, key: K) => R,
    name: string,
    serdes: ForeignKeySerdesFor<ValueSerde, V> & { readonly result: SerdeFor<NonNullable<R>> },
  ): KTable<K, NonNullable<R>, null>
  join<K2, V2, R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    other: LookupTable<K2, V2>,
    foreignKey: (value: V, key: K) => K2 | null,
    joiner: (value: V, other: V2, key: K) => R,
    name: string,
    ...serdes: 'serde' extends ValueSerde ? [] : [serdes: ForeignKeySerdesFor<ValueSerde, V>]
  ): KTable<K, NonNullable<R>, null, 'serde', 'no serde'>
  join(other: Joinable, ...given: readonly unknown[]): unknown {
    return new KTable(this.#joined(other[at], 'inner', given))
  }

  /** As `join`, but with all the entries of this table: null stands for the other's value where there is none. */
  leftJoin<V2, Deletes2 extends null, R>(
    other: JoinableTable<K, V2, Deletes2>,
    joiner: (value: V, other: V2 | null, key: K) => R,
  ): KTable<K, NonNullable<R>, Deletes | Extract<R, null>, KeySerde, 'no serde'>
  leftJoin<V2, Deletes2 extends null, R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    other: JoinableTable<K, V2, Deletes2>,
    joiner: (value: V, other: V2 | null, key: K) => R,
    name: string,
    serde: SerdeFor<NonNullable<R>>,
  ): KTable<K, NonNullable<R>, Deletes | Extract<R, null>>
  leftJoin<K2, V2, R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    other: LookupTable<K2, V2>,
    foreignKey: (value: V, key: K) => K2 | null,
    joiner: (value: V, other: V2 | null, key: K) => R,
    name: string,
    serdes: ForeignKeySerdesFor<ValueSerde, V> & { readonly result: SerdeFor<NonNullable<R>> },
  ): KTable<K, NonNullable<R>, Deletes | Extract<R, null>>
  leftJoin<K2, V2, R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    other: LookupTable<K2, V2>,
    foreignKey: (value: V, key: K) => K2 | null,
    joiner: (value: V, other: V2 | null, key: K) => R,
    name: string,
    ...serdes: 'serde' extends ValueSerde ? [] : [serdes: ForeignKeySerdesFor<ValueSerde, V>]
  ): KTable<K, NonNullable<R>, Deletes | Extract<R, null>, 'serde', 'no serde'>
  leftJoin(other: Joinable, ...given: readonly unknown[]): unknown {
    return new KTable(this.#joined(other[at], 'left', given))
  }

  /** The keys that either table has, with null for the value of one that has none. With a name and a serde: in a store. */
  outerJoin<V2, Deletes2 extends null, R>(
    other: JoinableTable<K, V2, Deletes2>,
    joiner: (value: V | null, other: V2 | null, key: K) => R,
  ): KTable<K, NonNullable<R>, Deletes | Deletes2 | Extract<R, null>, KeySerde, 'no serde'>
  outerJoin<V2, Deletes2 extends null, R>(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, Rows>,
    other: JoinableTable<K, V2, Deletes2>,
    joiner: (value: V | null, other: V2 | null, key: K) => R,
    name: string,
    serde: SerdeFor<NonNullable<R>>,
  ): KTable<K, NonNullable<R>, Deletes | Deletes2 | Extract<R, null>>
  outerJoin(other: JoinableTable<K, unknown, null>, joiner: Joiner, name?: string, serde?: Serde<unknown>): unknown {
    return new KTable(joinedTables(this[at], other[at], 'outer', joiner, whereOfCall(), name, serde))
  }

  /** Holds changes back in a store of this name: each window goes out once, when it closes, or none where it was deleted. */
  suppress<K2>(
    this: KTable<Windowed<K2>, V, Deletes, 'serde', ValueSerde, 'latest'>,
    name: string,
    until: UntilWindowCloses,
    ...serde: GivenSerde<ValueSerde, V>
  ): KTable<Windowed<K2>, V, never>
  /** Holds changes back in a store of this name: the last change of a key goes out some time after the first one. */
  suppress(
    this: KTable<K, V, Deletes, 'serde', ValueSerde, 'latest'>,
    name: string,
    until: UntilTimeLimit,
    ...serde: GivenSerde<ValueSerde, V>
  ): KTable<K, V, Deletes>
  suppress(
    this: { readonly [at]: Step },
    name: string,
    until: UntilWindowCloses | UntilTimeLimit,
    serde?: Serde<unknown>,
  ): unknown {
    return new KTable(suppressedStep(this[at], name, until, serde))
  }

  /** Writes the table to a topic: the last change of each key in a slice, with deletes as records without value. */
  to(topic: SinkTopic<K, V>, { owner = false }: TableSinkOptions = {}): void {
    const where = whereOfCall()
    const { draft, node, key, windowedKey } = this[at]
    if (key !== null && key !== windowedKey && key.format !== topic.key.format) {
      throw invalidJob(
        where,
        `the table has ${key.format} keys, and the topic ${topic.name} ${topic.key.format} ones`,
        'A table sink keeps the bytes of its keys: declare the topic with the same key serde.',
      )
    }
    requireSameSize(key, topic, where)
    draft.add({ kind: 'table-sink', where, topic, owner }, [node])
  }

  #joined(other: Step, how: 'inner' | 'left', given: readonly unknown[]): Step {
    const where = whereOfCall()
    const [, second] = given
    if (typeof second === 'function') {
      const [foreignKey, joiner, name, serdes = {}] = given as ForeignKeyArguments
      return foreignKeyJoined(this[at], other, { foreignKey, joiner, name, serdes, left: how === 'left' }, where)
    }
    const [joiner, name, serde] = given as [joiner: Joiner, name?: string, serde?: Serde<unknown>]
    return joinedTables(this[at], other, how, joiner, where, name, serde)
  }

  #filtered(
    predicate: (value: V, key: K) => boolean,
    negate: boolean,
    name: string | undefined,
    serde: Serde<unknown> | undefined,
  ): Step {
    const where = whereOfCall()
    const step = this[at]
    const value = serde ?? step.value
    const store = name === undefined ? null : this.#store(name, value, where)
    const settings = { kind: 'table-filter', where, predicate, negate, store } as const
    return { ...step, node: step.draft.add(settings, [step.node], name ?? null), value }
  }

  #store(name: string, value: Serde<unknown> | null, where: Where | null) {
    const given = checkedName(name, 'a store', where)
    return {
      name: given,
      key: known(this[at].key, `the serde of the keys of ${given}`, where),
      value: known(value, `the serde of the values of ${given}`, where),
    }
  }
}
