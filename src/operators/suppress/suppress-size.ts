import type { ByteString } from '../../core/bytes.ts'
import { counted } from '../../core/counted.ts'
import { TidemarkError } from '../../core/errors.ts'
import type { Suppressed } from '../../serde/suppressed-serde.ts'
import type { SuppressNode } from '../../topology/nodes.ts'
import type { Step } from '../step.ts'
import type { HeldBack, SuppressBuffer } from './suppress-buffer.ts'

/** How much a suppression holds back in one task, as far as there is a bound. */
export interface SuppressSize {
  /** A change was put in, in the place of `before` where there was one. */
  put(key: ByteString, change: Suppressed, before: HeldBack | undefined): void
  taken(key: ByteString, change: Suppressed): void
  /** True where there is more than the bounds allow. Throws BUFFER_FULL where that may not be. */
  isExceeded(): boolean
}

const UNBOUNDED: SuppressSize = { put: () => {}, taken: () => {}, isExceeded: () => false }

/** Counts what is there already when it is first asked. A change takes its key's bytes and those that its row takes. */
export function suppressSize(node: SuppressNode, buffer: SuppressBuffer, { context }: Step): SuppressSize {
  const { maxRecords, maxBytes, whenFull, store } = node
  if (maxRecords === null && maxBytes === null) return UNBOUNDED
  let records = -1
  let bytes = 0
  const size: SuppressSize = {
    put(key, change, before) {
      const isOwn = before === undefined || before.task === context.task
      if (!isOwn) peers.get(before.task ?? context.task)?.taken(key, before.change) // the key has come from another task
      if (records < 0) {
        count() // with the new one
        return
      }
      if (before === undefined || !isOwn) records++
      else bytes -= bytesOf(key, before.change)
      bytes += bytesOf(key, change)
    },
    taken(key, change) {
      if (records < 0) return
      records--
      bytes -= bytesOf(key, change)
    },
    isExceeded() {
      if (records < 0) count()
      const exceeded = (maxRecords !== null && records > maxRecords) || (maxBytes !== null && bytes > maxBytes)
      if (exceeded && whenFull === 'fail') throw full(node)
      return exceeded
    },
  }
  const peers = context.peers<SuppressSize>(node.name).set(context.task, size)
  return size

  function bytesOf(key: ByteString, change: Suppressed): number {
    return maxBytes === null ? 0 : key.length + store.value.encode(change).length
  }

  function count(): void {
    records = 0
    bytes = 0
    for (const { key, change } of buffer.scan(0)) {
      records++
      bytes += bytesOf(key, change)
    }
  }
}

function full({ name, maxRecords, maxBytes }: SuppressNode): TidemarkError {
  const limits = [
    maxRecords === null ? '' : counted(maxRecords, 'record'),
    maxBytes === null ? '' : counted(maxBytes, 'byte'),
  ]
  return new TidemarkError('BUFFER_FULL', `${name} holds back more than ${limits.filter(Boolean).join(' or ')}`, {
    at: { step: name },
    hint: 'Raise the bound, or let a time limit emit early: untilTimeLimit(limit, { whenFull: "emit" }).',
  })
}
