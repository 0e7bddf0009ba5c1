import type { ByteString } from '../core/bytes.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Suppressed } from '../serde/suppressed-serde.ts'
import type { SuppressNode } from '../topology/nodes.ts'
import type { SuppressBuffer } from './suppress-buffer.ts'

/** How much a suppression holds back in one task, as far as there is a bound. */
export interface SuppressSize {
  /** A change was put in, or in the place of another one. */
  put(key: ByteString, change: Suppressed, before: Suppressed | undefined): void
  taken(key: ByteString, change: Suppressed): void
  /** True where there is more than the bounds allow. Throws BUFFER_FULL where that may not be. */
  isExceeded(): boolean
}

const UNBOUNDED: SuppressSize = { put: () => {}, taken: () => {}, isExceeded: () => false }

/** Counts what is there already when it is first asked. A change takes its key's bytes and those that its row takes. */
export function suppressSize(node: SuppressNode, buffer: SuppressBuffer): SuppressSize {
  const { name, maxRecords, maxBytes, whenFull, store } = node
  if (maxRecords === null && maxBytes === null) return UNBOUNDED
  let records = -1
  let bytes = 0
  const bytesOf = (key: ByteString, change: Suppressed) =>
    maxBytes === null ? 0 : key.length + store.value.encode(change).length
  return {
    put(key, change, before) {
      if (records < 0) {
        count() // with the new one
        return
      }
      if (before === undefined) records++
      else bytes -= bytesOf(key, before)
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
      if (exceeded && whenFull === 'fail') throw full()
      return exceeded
    },
  }

  function count(): void {
    records = 0
    bytes = 0
    for (const { key, change } of buffer.scan(0)) {
      records++
      bytes += bytesOf(key, change)
    }
  }

  function full(): TidemarkError {
    const limits = [maxRecords === null ? '' : `${maxRecords} records`, maxBytes === null ? '' : `${maxBytes} bytes`]
    return new TidemarkError('BUFFER_FULL', `${name} holds back more than ${limits.filter(Boolean).join(' or ')}`, {
      at: { step: name },
      hint: 'Raise the bound, or let a time limit emit early: untilTimeLimit(limit, { whenFull: "emit" }).',
    })
  }
}
