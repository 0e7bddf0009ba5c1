import { unreachable } from '../../core/errors.ts'
import type { Windowed } from '../../core/windowed.ts'
import { encodeKey } from '../../serde/serde.ts'
import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import { accumulatorOf } from '../accumulator.ts'
import type { Entry } from '../state.ts'
import type { Step } from '../step.ts'
import type { TableView } from '../tables/table-view.ts'

type Find = (windowed: Windowed<unknown>) => Entry | undefined

/** The table of a windowed aggregate, read by windowed key. */
export function windowedView(node: WindowedAggregateNode, step: Step): TableView {
  const find = finder(node, step)
  const { result } = accumulatorOf(node, node.aggregate, step.context.running)
  const view = {
    timestamp: -1,
    get: (key: unknown) => {
      const windowed = key as Windowed<unknown>
      const entry = find(windowed)
      const timestamp = entry === undefined ? -1 : entry.timestamp
      const value = entry === undefined ? null : result(entry.value, windowed.key)
      view.timestamp = value === null ? -1 : timestamp
      return value
    },
  }
  return view
}

function finder({ windows, store }: WindowedAggregateNode, { context }: Step): Find {
  const { name, key: serde } = store
  switch (windows.kind) {
    case 'time':
    case 'calendar': {
      const state = context.window(name)
      return ({ key, start }) => state.get(encodeKey(serde, key), start)
    }
    case 'sliding': {
      const state = context.keyTime(name)
      return ({ key, start }) => state.get(encodeKey(serde, key), start, 0)
    }
    case 'session': {
      const state = context.keyTime(name)
      return ({ key, start, end }) => state.get(encodeKey(serde, key), end, start)
    }
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
