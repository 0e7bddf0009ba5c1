import type { Node, StoreRef, TableSourceNode, TableTableJoinNode, ToTableNode } from '../../topology/nodes.ts'
import { accumulatorOf } from '../accumulator.ts'
import { keyBytesOf } from '../bytes-of.ts'
import { joinerOf } from '../joins/joiner.ts'
import type { Step } from '../step.ts'
import { suppressedView } from '../suppress/suppressed-view.ts'
import { windowedView } from '../windows/windowed-view.ts'
import { filterValue } from './table-filter.ts'
import { mappedValue } from './table-map-values.ts'
import { Versions } from './versions.ts'

/** The rows of a table, as a step reads them by key. */
export interface TableView {
  /**
   * The value of a row by its key, which is not null; null where there is no row. With a time, a versioned table gives the
   * row that was valid then; others know the latest only.
   */
  get(key: unknown, asOf?: number): unknown
  /** Timestamp of the row that `get` found last, epoch ms; -1 where it found none. */
  readonly timestamp: number
}

/** What a table shows of a value, which is not null. */
type Shown = (value: unknown, key: unknown) => unknown

/**
 * The table that is node `table`, for the step that is node `reader`: read from the table's own store, or from the
 * nearest ones above it with the filters, mappers and joins between applied.
 */
export function tableView(table: number, reader: number, step: Step): TableView {
  const node = nodeOf(table, step)
  switch (node.kind) {
    case 'table-source':
    case 'to-table':
      if (node.store === null) throw new Error(`the table ${node.name} has no store to read from`)
      return node.history === undefined ? storeView(node.store, reader, step) : versionsView(node, reader, step)
    case 'table-filter':
      if (node.store !== null) return storeView(node.store, reader, step)
      return through(parentView(node, 0, reader, step), filterValue(node, step))
    case 'table-map-values':
      if (node.store !== null) return storeView(node.store, reader, step)
      return through(parentView(node, 0, reader, step), mappedValue(node, step))
    case 'table-table-join':
      if (node.store !== null) return storeView(node.store, reader, step)
      return joinView(node, parentView(node, 0, reader, step), parentView(node, 1, reader, step), step)
    case 'suppress':
      return suppressedView(node, parentView(node, 0, reader, step), reader, step)
    case 'foreign-key-join':
      if (node.store === null) throw new Error(`the table ${node.name} has no store to read from`)
      return storeView(node.store, reader, step)
    case 'aggregate':
    case 'table-aggregate':
      return through(
        storeView(node.store, reader, step),
        accumulatorOf(node, node.aggregate, step.context.running).result,
      )
    case 'windowed-aggregate':
      return windowedView(node, step)
    default:
      throw new Error(`node ${node.name} (${node.kind}) is no table`)
  }
}

function nodeOf(id: number, step: Step): Node {
  const node = step.nodes[id]
  if (node === undefined) throw new Error(`there is no node ${id}`)
  return node
}

function parentView(node: Node, index: number, reader: number, step: Step): TableView {
  const parent = node.parents[index]
  if (parent === undefined) throw new Error(`the table ${node.name} lacks a parent`)
  return tableView(parent, reader, step)
}

function through(rows: TableView, shown: Shown): TableView {
  const view = {
    timestamp: -1,
    get: (key: unknown, asOf?: number) => {
      const value = rows.get(key, asOf)
      const seen = value === null ? null : shown(value, key)
      view.timestamp = seen === null ? -1 : rows.timestamp
      return seen
    },
  }
  return view
}

function joinView(node: TableTableJoinNode, left: TableView, right: TableView, step: Step): TableView {
  const join = joinerOf(node, step)
  const { how } = node
  const view = {
    timestamp: -1,
    get: (key: unknown) => {
      const one = left.get(key)
      const other = one === null && how !== 'outer' ? null : right.get(key)
      const absent = (one === null && (how !== 'outer' || other === null)) || (other === null && how === 'inner')
      const row = absent ? null : join(one, other, key)
      view.timestamp = row === null ? -1 : Math.max(one === null ? -1 : left.timestamp, right.timestamp)
      return row
    },
  }
  return view
}

function storeView(store: StoreRef, reader: number, step: Step): TableView {
  const state = step.context.keyValue(store.name)
  const keyBytes = keyBytesOf(reader, step, store.key)
  const view = {
    timestamp: -1,
    get: (key: unknown) => {
      const entry = state.get(keyBytes(key))
      view.timestamp = entry === undefined ? -1 : entry.timestamp
      return entry === undefined ? null : entry.value
    },
  }
  return view
}

function versionsView({ name, store, history }: TableSourceNode | ToTableNode, reader: number, step: Step): TableView {
  if (store === null || history === undefined) throw new Error(`the table ${name} has no history`)
  const versions = new Versions(step.context, name, store, history)
  const keyBytes = keyBytesOf(reader, step, store.key)
  const view = {
    timestamp: -1,
    get: (key: unknown, asOf?: number) => {
      const bytes = keyBytes(key)
      const entry = asOf === undefined ? versions.latest(bytes) : versions.asOf(bytes, asOf)
      view.timestamp = entry === undefined ? -1 : entry.timestamp
      return entry === undefined ? null : entry.value
    },
  }
  return view
}
