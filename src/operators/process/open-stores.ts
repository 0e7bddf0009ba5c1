import { unreachable } from '../../core/errors.ts'
import type { ProcessNode } from '../../topology/nodes.ts'
import type { ProcessStore } from '../../topology/processor/process-store.ts'
import type { Step } from '../step.ts'
import type { InHand } from './in-hand.ts'
import { keyValueStore, timestampedKeyValueStore } from './key-value-store.ts'
import { sessionStore } from './session-store.ts'
import { versionedStore } from './versioned-store.ts'
import { timestampedWindowStore, windowStore } from './window-store.ts'

/** The stores of a processor, by name, as it sees them in its task. */
export function openStores(node: ProcessNode, { context }: Step, inHand: InHand): Readonly<Record<string, unknown>> {
  const opened = node.declared.map((declared) => [declared.store.name, open(declared)] as const)
  return Object.freeze(Object.fromEntries(opened))

  function open(declared: ProcessStore): unknown {
    const { kind } = declared
    switch (kind) {
      case 'key-value':
        return keyValueStore(declared.store, context, inHand)
      case 'timestamped-key-value':
        return timestampedKeyValueStore(declared.store, context)
      case 'window':
        return windowStore(node.name, declared, context, inHand)
      case 'timestamped-window':
        return timestampedWindowStore(node.name, declared, context)
      case 'session':
        return sessionStore(declared.store, context)
      case 'versioned':
        return versionedStore(declared, context)
      default:
        return unreachable(kind, 'the kind of store')
    }
  }
}
