import { checkedName } from '../../topology/names.ts'
import type { StoreRef, Where } from '../../topology/nodes.ts'
import type { ProcessStore } from '../../topology/processor/process-store.ts'
import { historyStore } from '../history-store.ts'
import type { StoreSpec, StoreSpecs } from './store-spec.ts'

/** The stores that a processor declares, as data. Throws JOB_INVALID for a name that a store cannot have. */
export function declaredStores(specs: StoreSpecs, where: Where | null): readonly ProcessStore[] {
  return Object.entries(specs).map(([name, spec]) => declared(checkedName(name, 'a store', where), spec))
}

function declared(name: string, spec: StoreSpec<unknown>): ProcessStore {
  const { kind, key, value, retentionMs, windowMs } = spec
  const kept = retentionMs === undefined ? {} : { retentionMs }
  switch (kind) {
    case 'key-value':
    case 'timestamped-key-value':
      return { kind, store: { name, key, value } }
    case 'window':
    case 'timestamped-window': {
      const store: StoreRef = { name, key, value, ...kept, shape: 'key-time', rows: `window ${windowMs} ms` }
      return { kind, store, ...(windowMs === undefined ? {} : { windowMs }) }
    }
    case 'session':
      return { kind, store: { name, key, value, ...kept, shape: 'key-time', rows: 'sessions' } }
    case 'versioned': {
      const store = { name, key, value }
      return { kind, store, history: historyStore(store, retentionMs ?? 0) }
    }
  }
}
