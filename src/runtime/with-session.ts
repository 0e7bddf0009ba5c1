import type { Session } from './session.ts'

/** Does `work` and closes the session, however the work ends. Of two errors the first is thrown. */
export async function withSession<T>(session: Session, runId: string, work: () => Promise<T>): Promise<T> {
  let result: T
  try {
    result = await work()
  } catch (error) {
    await session.close(runId).catch(() => {}) // what the work threw is the one to tell
    throw error
  }
  await session.close(runId)
  return result
}
