import type { Session } from '../session.ts'
import { MERGE_START, type MergePlace, mergedCuts } from './merged-cuts.ts'

/** So many events are looked at in one go. */
const PAGE = 500
/** From one look to the next, ms, so that nothing waits for it. */
const EVERY_MS = 1000

/** Merges the old cuts of a session's streams, in the history and in the outside, a few at a time. */
export class CutMerger {
  readonly #session: Session
  #place: MergePlace = MERGE_START
  /** Epoch ms before which there is nothing to do. */
  #dueAt = 0

  constructor(session: Session) {
    this.#session = session
  }

  /** Goes on a little. No transaction may be open. A crash on the way leaves cuts that are merged the next time. */
  async goOn(): Promise<void> {
    const { file, outside, env } = this.#session
    const now = env.clock.now()
    if (now < this.#dueAt) return
    const events = file.events(this.#place.after, PAGE)
    const { replaced, gone, place, dueAt } = mergedCuts(events, this.#place, now)
    this.#place = place
    this.#dueAt = dueAt ?? now + EVERY_MS
    if (gone.length === 0) return
    // In this order: what the outside still had would be found by nobody.
    await outside?.forgetCuts(gone.map(({ seq }) => seq))
    file.replaceEvents(
      replaced,
      gone.map(({ number }) => number),
    )
  }
}
