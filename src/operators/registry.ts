import type { Node, NodeKind } from '../topology/nodes.ts'
import { aggregate } from './aggregate.ts'
import { chooseTopic } from './choose-topic.ts'
import { exchange } from './exchange.ts'
import { filter } from './filter.ts'
import { flatMap } from './flat-map.ts'
import { flatMapValues } from './flat-map-values.ts'
import { foreach } from './foreach.ts'
import { foreignKeyJoin } from './joins/foreign-key-join.ts'
import { foreignKeyLookup } from './joins/foreign-key-lookup.ts'
import { foreignKeySubscribe } from './joins/foreign-key-subscribe.ts'
import { streamGlobalTableJoin } from './joins/stream-global-table-join.ts'
import { streamStreamJoin } from './joins/stream-stream-join.ts'
import { streamTableJoin } from './joins/stream-table-join.ts'
import { tableTableJoin } from './joins/table-table-join.ts'
import { late } from './late.ts'
import { map } from './map.ts'
import { mapValues } from './map-values.ts'
import type { Operator } from './operator.ts'
import { passOn } from './pass-on.ts'
import { peek } from './peek.ts'
import { print } from './print.ts'
import { processor } from './process/processor.ts'
import { selectKey } from './select-key.ts'
import { split } from './split.ts'
import type { Step } from './step.ts'
import { streamSink } from './stream-sink.ts'
import { suppress } from './suppress/suppress.ts'
import { tableAggregate } from './tables/table-aggregate.ts'
import { tableFilter } from './tables/table-filter.ts'
import { tableGroupBy } from './tables/table-group-by.ts'
import { tableMapValues } from './tables/table-map-values.ts'
import { tableSink } from './tables/table-sink.ts'
import { tableSource } from './tables/table-source.ts'
import { toTable } from './tables/to-table.ts'
import { toStream } from './to-stream.ts'
import { windowedOperator } from './windows/windowed-operator.ts'

type Maker<Kind extends NodeKind> = (node: Extract<Node, { readonly kind: Kind }>, step: Step) => Operator

const MAKERS: { readonly [Kind in NodeKind]: Maker<Kind> } = {
  'stream-source': (_, step) => passOn(step),
  merge: (_, step) => passOn(step),
  branch: (_, step) => passOn(step),
  'table-source': tableSource,
  filter,
  map,
  'map-values': mapValues,
  'flat-map': flatMap,
  'flat-map-values': flatMapValues,
  'select-key': selectKey,
  peek,
  process: processor,
  foreach,
  print,
  split,
  'choose-topic': chooseTopic,
  exchange,
  'to-table': toTable,
  aggregate,
  'windowed-aggregate': windowedOperator,
  late,
  suppress,
  'table-filter': tableFilter,
  'table-map-values': tableMapValues,
  'to-stream': toStream,
  'table-group-by': tableGroupBy,
  'table-aggregate': tableAggregate,
  'stream-table-join': streamTableJoin,
  'stream-global-table-join': streamGlobalTableJoin,
  'stream-stream-join': streamStreamJoin,
  'table-table-join': tableTableJoin,
  'foreign-key-subscribe': foreignKeySubscribe,
  'foreign-key-lookup': foreignKeyLookup,
  'foreign-key-join': foreignKeyJoin,
  'stream-sink': streamSink,
  'table-sink': tableSink,
}

/** The kinds of nodes that there are. */
export const NODE_KINDS: readonly string[] = Object.keys(MAKERS)

/** Makes the operator of a node for one task. For an exchange it is the way in; its records come out at its children. */
export function operatorOf(node: Node, step: Step): Operator {
  const make = MAKERS[node.kind] as (node: Node, step: Step) => Operator // the table says that the kinds match
  return make(node, step)
}
