import type { RunRow } from '../ports/history.ts'
import { commitSlice } from './commit.ts'
import { nextToken, type SliceFacts, type SliceRecord, sliceRecord } from './input/slice-record.ts'

/**
 * Commits what an attempt has processed since its last commit, and moves the session's checkpoint there. Gives the run's
 * row as committed. When it throws, either nothing was committed, or the next start will deliver the slice again.
 */
export async function commitAttempt(facts: SliceFacts): Promise<RunRow> {
  const { session, attempt, end, run, endless } = facts
  const { file, outside, env } = session
  const token = nextToken(session.parent, env.ids.uuid())
  const batches = await attempt.drain()
  let record: SliceRecord | undefined
  const write = () => {
    attempt.flush()
    record = sliceRecord(facts, token, batches)
    return record.slice
  }
  const isLast = end === 'stopped' || (end === 'end' && !endless)
  const delivery = session.delivery(run.runId, isLast, end === 'end')
  await commitSlice({ file, outside, steps: env.steps, batches, sent: () => attempt.sent(), write, delivery })
  if (record === undefined) throw new Error('a commit writes its slice')
  session.committed(record.checkpoint, delivery)
  attempt.committed()
  return record.slice.run
}
