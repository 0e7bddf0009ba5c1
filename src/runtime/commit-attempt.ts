import type { RunRow } from '../ports/history.ts'
import { commitSlice } from './commit.ts'
import { type SliceFacts, sliceRecord } from './slice-record.ts'

/**
 * Commits what an attempt has processed since its last commit, and moves the session's checkpoint there. Gives the run's
 * row as committed. When it throws, either nothing was committed, or the next start will deliver the slice again.
 */
export async function commitAttempt(facts: SliceFacts): Promise<RunRow> {
  const { session, attempt, end } = facts
  const { checkpoint, slice } = sliceRecord(facts)
  const { token } = checkpoint
  const delivery = session.deliveryOf(slice.run.runId, end !== 'limit', end === 'end')
  const parts = { file: session.file, outside: session.outside, steps: session.env.steps, flush: attempt.flush }
  await commitSlice(parts, slice, { token, checkpoint: slice.checkpoint.bytes, delivery })
  session.checkpoint = checkpoint
  session.parent = token
  attempt.committed()
  return slice.run
}
