import { encodeKey } from '../serde/serde.ts'
import type { Node, StoreRef, Windowed } from '../topology/nodes.ts'
import { accumulatorOf } from './accumulator.ts'
import { keyBytesOf } from './bytes-of.ts'
import type { Step } from './step.ts'
import { filterValue } from './table-filter.ts'
import { mappedValue } from './table-map-values.ts'

/** The value of a table's row by its key, which is not null; null where there is no row. */
export type TableGetter = (key: unknown) => unknown

/** What a table shows of a stored value; null for null. */
type Shown = (value: unknown, key: unknown) => unknown

/**
 * Reads the table that is node `table`, for the step that is node `reader`: from the table's own store, or from the
 * nearest one above it with the filters and mappers between applied.
 */
export function tableGetter(table: number, reader: number, step: Step): TableGetter {
  const node = nodeOf(table, step)
  switch (node.kind) {
    case 'table-source':
    case 'to-table':
      if (node.store === null) throw new Error(`the table ${node.name} has no store to read from`)
      return storeGetter(node.store, reader, step)
    case 'table-filter':
      if (node.store !== null) return storeGetter(node.store, reader, step)
      return through(parentGetter(node, reader, step), filterValue(node, step))
    case 'table-map-values':
      if (node.store !== null) return storeGetter(node.store, reader, step)
      return through(parentGetter(node, reader, step), mappedValue(node, step))
    case 'aggregate':
    case 'table-aggregate':
      return through(
        storeGetter(node.store, reader, step),
        accumulatorOf(node, node.aggregate, step.context.running).result,
      )
    case 'windowed-aggregate':
      return windowGetter(node.store, step, accumulatorOf(node, node.aggregate, step.context.running).result)
    default:
      throw new Error(`node ${node.name} (${node.kind}) is no table`)
  }
}

function nodeOf(id: number, step: Step): Node {
  const node = step.nodes[id]
  if (node === undefined) throw new Error(`there is no node ${id}`)
  return node
}

function parentGetter(node: Node, reader: number, step: Step): TableGetter {
  const parent = node.parents[0]
  if (parent === undefined) throw new Error(`the table ${node.name} has no parent`)
  return tableGetter(parent, reader, step)
}

function through(get: TableGetter, shown: Shown): TableGetter {
  return (key) => shown(get(key), key)
}

function storeGetter(store: StoreRef, reader: number, step: Step): TableGetter {
  const state = step.context.keyValue(store.name)
  const keyBytes = keyBytesOf(reader, step, store.key)
  return (key) => state.get(keyBytes(key))?.value ?? null
}

function windowGetter(store: StoreRef, step: Step, result: Shown): TableGetter {
  const state = step.context.window(store.name)
  return (windowed) => {
    const { key, start } = windowed as Windowed<unknown>
    return result(state.get(encodeKey(store.key, key), start)?.value ?? null, key)
  }
}
