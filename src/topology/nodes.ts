import type { ByteString } from '../core/bytes.ts'
import type { Windowed } from '../core/windowed.ts'
import type { Serde } from '../serde/serde.ts'
import type { Aggregate } from './aggregate.ts'
import type { JoinWindows } from './join-windows.ts'
import type { ProcessorContext } from './processor/context.ts'
import type { ProcessStore } from './processor/process-store.ts'
import type { RecordMetadata } from './record-metadata.ts'
import type { TopicSpec } from './topic-spec.ts'
import type { WindowSpec } from './windows.ts'

/** Where in the job file a node was made. */
export interface Where {
  readonly file: string
  readonly line: number
}

/** A named, keyed state. The serde of its values is that of the accumulator or the table's value. */
export interface StoreRef {
  readonly name: string
  readonly key: Serde<unknown>
  readonly value: Serde<unknown>
  /** How long windows are kept, ms; window stores only. */
  readonly retentionMs?: number
  /**
   * How its rows are keyed (`StoreShape` of the store port). Default `key-value`.
   * `window`: by (time, key). `key-time`: by (key, time, ordinal), with an index on time.
   */
  readonly shape?: 'key-value' | 'window' | 'key-time'
  /** The first bytes of a key, where rows are looked up by these. `key-value` only. */
  readonly groupOf?: (key: ByteString) => ByteString
  /** What decides how its rows read, beside kind and serdes; compared when a job opens: `window 1000 ms every 500 ms`. */
  readonly rows?: string
}

interface NodeBase {
  /** Position in the topology, from 0; parents come before children. */
  readonly id: number
  /** Unique in the topology. Given by the user for everything stateful and every sink with a name; made up otherwise. */
  readonly name: string
  readonly parents: readonly number[]
  readonly where: Where | null
}

// biome-ignore lint/suspicious/noExplicitAny: the fluent surface types every callback; a node holds them untyped
type Callback<R> = (value: any, key: any) => R

export interface StreamSourceNode extends NodeBase {
  readonly kind: 'stream-source'
  readonly topic: TopicSpec
}
/** Materialized where it has a store: asked by name, or needed by a later step and named after the topic. */
export interface TableSourceNode extends NodeBase {
  readonly kind: 'table-source'
  readonly topic: TopicSpec
  readonly store: StoreRef | null
  /** Where true, all tasks of the job see all its rows, and it is a part of its own. Then it has a store. */
  readonly global?: true
  /** Of a versioned table: the rows that its store had before, kept for the history's retention. Then it has a store. */
  readonly history?: StoreRef
}
export interface FilterNode extends NodeBase {
  readonly kind: 'filter'
  readonly predicate: Callback<boolean>
  /** True for `filterNot`. */
  readonly negate: boolean
}
export interface MapNode extends NodeBase {
  readonly kind: 'map'
  readonly mapper: Callback<readonly [key: unknown, value: unknown]>
}
export interface MapValuesNode extends NodeBase {
  readonly kind: 'map-values'
  readonly mapper: Callback<unknown>
}
export interface FlatMapNode extends NodeBase {
  readonly kind: 'flat-map'
  readonly mapper: Callback<Iterable<readonly [key: unknown, value: unknown]>>
}
export interface FlatMapValuesNode extends NodeBase {
  readonly kind: 'flat-map-values'
  readonly mapper: Callback<Iterable<unknown>>
}
export interface SelectKeyNode extends NodeBase {
  readonly kind: 'select-key'
  readonly mapper: Callback<unknown>
}
export interface PeekNode extends NodeBase {
  readonly kind: 'peek'
  readonly action: Callback<void>
}
/** Runs a processor of the user's. With `keepsKeys` records keep their keys, and only values are forwarded. */
export interface ProcessNode extends NodeBase {
  readonly kind: 'process'
  readonly keepsKeys: boolean
  readonly declared: readonly ProcessStore[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly init: (context: ProcessorContext<any>, forward: (record: any) => void) => (record: any) => void
}
export interface ForeachNode extends NodeBase {
  readonly kind: 'foreach'
  readonly action: Callback<void>
}
export interface PrintNode extends NodeBase {
  readonly kind: 'print'
  readonly label: string
}
/** Its children are branches: a record goes into the first one whose predicate holds. */
export interface SplitNode extends NodeBase {
  readonly kind: 'split'
  readonly predicates: readonly Callback<boolean>[]
}
/** Its children are branches, one for each topic: a record goes into that of the topic which is chosen. */
export interface ChooseTopicNode extends NodeBase {
  readonly kind: 'choose-topic'
  readonly topics: readonly TopicSpec[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly choose: (value: any, key: any, record: RecordMetadata) => TopicSpec
}
/** One way out of its parent: number `branch`. The default one has the number after the last predicate's. */
export interface BranchNode extends NodeBase {
  readonly kind: 'branch'
  readonly branch: number
  readonly label: string
}
export interface MergeNode extends NodeBase {
  readonly kind: 'merge'
}
/**
 * Where records get a new key: an in-process repartition topic. Records with a null key are dropped silently unless
 * `nullKeys`. `changes` is true between a regrouped table and its aggregate: then it carries (old, new) pairs.
 */
export interface ExchangeNode extends NodeBase {
  readonly kind: 'exchange'
  readonly key: Serde<unknown>
  /** Known where the values have one; only a test mode and scale-out need it. */
  readonly value: Serde<unknown> | null
  readonly nullKeys: boolean
  readonly changes: boolean
  /** The topic, where a job both writes and reads it: the exchange is also published. */
  readonly published: TopicSpec | null
}
export interface ToTableNode extends NodeBase {
  readonly kind: 'to-table'
  readonly store: StoreRef
  /** A global table of a topic that the job writes itself. */
  readonly global?: true
  /** As of a table source. */
  readonly history?: StoreRef
}
export interface AggregateNode extends NodeBase {
  readonly kind: 'aggregate'
  readonly aggregate: Aggregate<unknown, unknown, unknown, unknown>
  /** Where several streams fold into one store (cogroup): how the records of each parent are added. */
  readonly adders?: readonly Aggregate<unknown, unknown, unknown, unknown>['add'][]
  readonly store: StoreRef
}
export interface WindowedAggregateNode<W extends WindowSpec = WindowSpec> extends NodeBase {
  readonly kind: 'windowed-aggregate'
  readonly windows: W
  readonly emit: 'on-update' | 'on-window-close'
  readonly aggregate: Aggregate<unknown, unknown, unknown, unknown>
  /** As above. */
  readonly adders?: readonly Aggregate<unknown, unknown, unknown, unknown>['add'][]
  readonly store: StoreRef
}
/**
 * The records that missed at least one window of the windowed aggregate which is its parent, once each. The value is the
 * record's own where there is no mapper; otherwise what the mapper makes of it and of the windows that it missed, in
 * order of start.
 */
export interface LateNode extends NodeBase {
  readonly kind: 'late'
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly mapper: ((value: any, key: any, missed: readonly Windowed<any>[]) => unknown) | null
}
/** Holds changes of a table back until `waitMs` after the end of their window, or after the first change of their key. */
export interface SuppressNode extends NodeBase {
  readonly kind: 'suppress'
  readonly until: 'window-close' | 'time-limit'
  readonly waitMs: number
  /** Bounds for each task; null for none. */
  readonly maxRecords: number | null
  readonly maxBytes: number | null
  /** What happens when a bound is exceeded: the oldest go out, or the run fails. */
  readonly whenFull: 'emit' | 'fail'
  readonly store: StoreRef
}
export interface TableFilterNode extends NodeBase {
  readonly kind: 'table-filter'
  readonly predicate: Callback<boolean>
  readonly negate: boolean
  readonly store: StoreRef | null
}
export interface TableMapValuesNode extends NodeBase {
  readonly kind: 'table-map-values'
  readonly mapper: Callback<unknown>
  readonly store: StoreRef | null
}
export interface ToStreamNode extends NodeBase {
  readonly kind: 'to-stream'
  /** Absent where the key stays. */
  readonly mapper: Callback<unknown> | null
}
/** Regroups a table: sends (old, new) pairs by their new keys into an exchange with `changes`. */
export interface TableGroupByNode extends NodeBase {
  readonly kind: 'table-group-by'
  readonly mapper: Callback<readonly [key: unknown, value: unknown]>
  /** To compare new keys by their bytes. */
  readonly key: Serde<unknown>
}
/** Subtract, then add. The aggregate has `undo`. */
export interface TableAggregateNode extends NodeBase {
  readonly kind: 'table-aggregate'
  readonly aggregate: Aggregate<unknown, unknown, unknown, unknown>
  readonly store: StoreRef
}
/**
 * Parents: the stream, then the table. The table's value is read by the stream's key from the table's nearest store, or
 * from the history of a versioned one. With a grace the stream's records wait in the store before they are joined.
 */
export interface StreamTableJoinNode extends NodeBase {
  readonly kind: 'stream-table-join'
  readonly graceMs: number | null
  readonly store: StoreRef | null
  readonly left: boolean
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly joiner: (value: any, other: any, key: any) => unknown
  readonly key: Serde<unknown>
}
/** Parents: the stream, then the global table, which is read by a key that is made of each record. */
export interface StreamGlobalTableJoinNode extends NodeBase {
  readonly kind: 'stream-global-table-join'
  readonly left: boolean
  readonly keyOf: Callback<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly joiner: (value: any, other: any, key: any) => unknown
}
/** What a join of streams keeps of one side. */
export interface JoinSide {
  /** Its records, as long as others may match them. */
  readonly store: StoreRef
  /** Those that nothing has matched, until they go out alone; null where they do not. */
  readonly unmatched: StoreRef | null
}
/** Parents: the left stream, then the right one. */
export interface StreamStreamJoinNode extends NodeBase {
  readonly kind: 'stream-stream-join'
  readonly how: 'inner' | 'left' | 'outer'
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly joiner: (value: any, other: any, key: any) => unknown
  readonly windows: JoinWindows
  readonly sides: readonly [left: JoinSide, right: JoinSide]
}
/** Parents: the left table, then the right one. Each side's updates are joined with the other side's row, absent ones as null. */
export interface TableTableJoinNode extends NodeBase {
  readonly kind: 'table-table-join'
  readonly how: 'inner' | 'left' | 'outer'
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly joiner: (value: any, other: any, key: any) => unknown
  readonly store: StoreRef | null
}
/** The left table of a foreign-key join: sends subscriptions by foreign key into an exchange. */
export interface ForeignKeySubscribeNode extends NodeBase {
  readonly kind: 'foreign-key-subscribe'
  readonly left: boolean
  readonly foreignKey: Callback<unknown>
  /** Of the foreign key. */
  readonly key: Serde<unknown>
  readonly leftKey: Serde<unknown>
  readonly leftValue: Serde<unknown>
}
/** Parents: the exchange with subscriptions, then the right table. Sends answers by left key into an exchange. */
export interface ForeignKeyLookupNode extends NodeBase {
  readonly kind: 'foreign-key-lookup'
  /** Of the right table. */
  readonly key: Serde<unknown>
  /** The subscriptions. */
  readonly store: StoreRef
}
/** Parents: the exchange with answers, then the left table, whose rows are read. */
export interface ForeignKeyJoinNode extends NodeBase {
  readonly kind: 'foreign-key-join'
  readonly left: boolean
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly joiner: (value: any, other: any, key: any) => unknown
  readonly leftKey: Serde<unknown>
  readonly leftValue: Serde<unknown>
  readonly store: StoreRef | null
}
/** Never folds. */
export interface StreamSinkNode extends NodeBase {
  readonly kind: 'stream-sink'
  readonly topic: TopicSpec
}
/** Folds to the last update of a key in a slice. */
export interface TableSinkNode extends NodeBase {
  readonly kind: 'table-sink'
  readonly topic: TopicSpec
  /** This job alone writes that topic. */
  readonly owner: boolean
}

export type Node =
  | StreamSourceNode
  | TableSourceNode
  | FilterNode
  | MapNode
  | MapValuesNode
  | FlatMapNode
  | FlatMapValuesNode
  | SelectKeyNode
  | PeekNode
  | ProcessNode
  | ForeachNode
  | PrintNode
  | SplitNode
  | ChooseTopicNode
  | BranchNode
  | MergeNode
  | ExchangeNode
  | ToTableNode
  | AggregateNode
  | WindowedAggregateNode
  | LateNode
  | SuppressNode
  | TableFilterNode
  | TableMapValuesNode
  | ToStreamNode
  | TableGroupByNode
  | TableAggregateNode
  | StreamTableJoinNode
  | StreamGlobalTableJoinNode
  | StreamStreamJoinNode
  | TableTableJoinNode
  | ForeignKeySubscribeNode
  | ForeignKeyLookupNode
  | ForeignKeyJoinNode
  | StreamSinkNode
  | TableSinkNode

export type NodeKind = Node['kind']
