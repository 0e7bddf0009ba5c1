import type { Session } from '../session.ts'

/** Forgets a store of a session that is not in the middle of a commit, with the times that are kept for it. */
export function emptyStore(session: Session, store: string): void {
  session.file.dropStore(store)
  const { checkpoint } = session
  if (checkpoint === null) return
  const others = <T>(entries: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => key !== store && !key.startsWith(`${store}/`)))
  session.checkpoint = {
    ...checkpoint,
    streamTimes: others(checkpoint.streamTimes),
    stores: others(checkpoint.stores),
    storeSizes: others(checkpoint.storeSizes),
  }
}
