import { unreachable } from '../core/errors.ts'
import type { Node } from '../topology/nodes.ts'
import { aggregate } from './aggregate.ts'
import { exchange } from './exchange.ts'
import { filter } from './filter.ts'
import { flatMap } from './flat-map.ts'
import { flatMapValues } from './flat-map-values.ts'
import { late } from './late.ts'
import { map } from './map.ts'
import { mapValues } from './map-values.ts'
import type { Operator } from './operator.ts'
import { passOn } from './pass-on.ts'
import { peek } from './peek.ts'
import { selectKey } from './select-key.ts'
import type { Step } from './step.ts'
import { streamGlobalTableJoin } from './stream-global-table-join.ts'
import { streamSink } from './stream-sink.ts'
import { streamStreamJoin } from './stream-stream-join.ts'
import { streamTableJoin } from './stream-table-join.ts'
import { suppress } from './suppress.ts'
import { tableAggregate } from './table-aggregate.ts'
import { tableFilter } from './table-filter.ts'
import { tableGroupBy } from './table-group-by.ts'
import { tableMapValues } from './table-map-values.ts'
import { tableSink } from './table-sink.ts'
import { tableSource } from './table-source.ts'
import { tableTableJoin } from './table-table-join.ts'
import { toStream } from './to-stream.ts'
import { toTable } from './to-table.ts'
import { windowedOperator } from './windowed-operator.ts'

/** Makes the operator of a node for one task. For an exchange it is the way in; its records come out at its children. */
export function operatorOf(node: Node, step: Step): Operator {
  switch (node.kind) {
    case 'stream-source':
    case 'merge':
      return passOn(step)
    case 'table-source':
      return tableSource(node, step)
    case 'filter':
      return filter(node, step)
    case 'map':
      return map(node, step)
    case 'map-values':
      return mapValues(node, step)
    case 'flat-map':
      return flatMap(node, step)
    case 'flat-map-values':
      return flatMapValues(node, step)
    case 'select-key':
      return selectKey(node, step)
    case 'peek':
      return peek(node, step)
    case 'exchange':
      return exchange(node, step)
    case 'to-table':
      return toTable(node, step)
    case 'aggregate':
      return aggregate(node, step)
    case 'windowed-aggregate':
      return windowedOperator(node, step)
    case 'late':
      return late(node, step)
    case 'suppress':
      return suppress(node, step)
    case 'table-filter':
      return tableFilter(node, step)
    case 'table-map-values':
      return tableMapValues(node, step)
    case 'to-stream':
      return toStream(node, step)
    case 'table-group-by':
      return tableGroupBy(node, step)
    case 'table-aggregate':
      return tableAggregate(node, step)
    case 'stream-table-join':
      return streamTableJoin(node, step)
    case 'stream-global-table-join':
      return streamGlobalTableJoin(node, step)
    case 'stream-stream-join':
      return streamStreamJoin(node, step)
    case 'table-table-join':
      return tableTableJoin(node, step)
    case 'stream-sink':
      return streamSink(node, step)
    case 'table-sink':
      return tableSink(node, step)
    default:
      return unreachable(node, 'the kind of node')
  }
}
