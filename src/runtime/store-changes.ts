import { TidemarkError } from '../core/errors.ts'
import type { HistoryEvent } from '../ports/history.ts'
import type { StoreIdentity } from '../ports/state-file.ts'

/**
 * Compares the stores that a job has with those that its file has. A new store starts empty: a notice and an event.
 * A changed one throws STATE_INCOMPATIBLE. One that the job no longer has stays as it is: a notice.
 */
export function compareStores(
  wanted: readonly StoreIdentity[],
  there: readonly StoreIdentity[],
  now: number,
): { readonly notices: readonly string[]; readonly events: readonly HistoryEvent[] } {
  const notices: string[] = []
  const events: HistoryEvent[] = []
  const known = new Map(there.map((store) => [store.name, store]))
  for (const store of wanted) {
    const before = known.get(store.name)
    known.delete(store.name)
    if (before === undefined) {
      if (there.length === 0) continue
      notices.push(`store ${store.name} is new: it starts empty`)
      events.push({ kind: 'store-added', seq: 0, runId: null, at: now, detail: { store: store.name } })
    } else if (before.shape !== store.shape || before.format !== store.format) {
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
  }
  for (const name of known.keys()) notices.push(`store ${name} is no longer part of the job; its rows stay`)
  return { notices, events }
}
