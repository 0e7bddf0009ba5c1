import { TidemarkError } from '../../core/errors.ts'
import type { HistoryEvent } from '../../ports/history.ts'
import type { StoreIdentity } from '../../ports/state-file.ts'
import type { FoundStore } from './found-stores.ts'

export interface StoreChanges {
  readonly notices: readonly string[]
  readonly events: readonly HistoryEvent[]
}

/**
 * Compares the stores that a job has with those of its file. In a generation that has `begun`, a store that the last
 * commit did not have is a notice and an event: it starts empty, or with the rows of an earlier version of the job. A
 * changed one throws STATE_INCOMPATIBLE. One that the job no longer has stays as it is: a notice.
 */
export function compareStores(
  wanted: readonly StoreIdentity[],
  found: readonly FoundStore[],
  begun: boolean,
  now: number,
): StoreChanges {
  const notices: string[] = []
  const events: HistoryEvent[] = []
  const known = new Map(found.map((store) => [store.name, store]))
  for (const store of wanted) {
    const before = known.get(store.name)
    known.delete(store.name)
    if (before !== undefined) requireSame(before, store)
    const entries = before === undefined ? 0 : before.leftEntries
    if (!begun || entries === null) continue
    notices.push(entries === 0 ? `store ${store.name} is new: it starts empty` : cameBack(store.name, entries))
    events.push({ kind: 'store-added', seq: 0, runId: null, at: now, detail: { store: store.name, entries } })
  }
  for (const name of known.keys()) notices.push(`store ${name} is no longer part of the job; its rows stay`)
  return { notices, events }
}

function cameBack(store: string, entries: number): string {
  const rows = entries === 1 ? 'the row' : `the ${entries} rows`
  return `store ${store} is back, with ${rows} that it had: it has missed what was read since`
}

function requireSame(before: StoreIdentity, store: StoreIdentity): void {
  if (before.shape === store.shape && before.format === store.format) return
  throw new TidemarkError(
    'STATE_INCOMPATIBLE',
    `store ${store.name} was written as ${before.shape} of ${before.format}, and the job now says ` +
      `${store.shape} of ${store.format}`,
    {
      at: { step: store.name },
      hint: "Give the changed step another name to start it empty, start over with 'tidemark reset', or put the job back.",
    },
  )
}
