import type { StagedBatch } from '../ports/log.ts'
import type { CommitRecord, Delivery, Outside } from '../ports/outside.ts'
import type { SliceCommit, StateFile } from '../ports/state-file.ts'
import type { StepObserver } from '../ports/steps.ts'

/** What a commit works on. */
export interface CommitParts {
  readonly file: StateFile
  /** Null for a generation that publishes nothing. */
  readonly outside: Outside | null
  readonly steps: StepObserver
  /** What the slice sends. */
  readonly batches: readonly StagedBatch[]
  /** Where they are on their way already: resolves when all are sent, in a transaction that is begun. */
  readonly sent?: () => Promise<void>
  /** Writes what the write-behind holds into the file's open transaction, and says what else is committed. */
  readonly write: () => SliceCommit
  /** The part of the commit record that is new with each delivery. */
  readonly delivery: Delivery
}

/**
 * Commits one slice, here and outside, exactly once. Whatever happens before the state file's COMMIT leaves no trace;
 * whatever happens after it is made good by the next start, which delivers the outbox again.
 *
 *     process   send        acknowledge   store-begin  store-write  store-commit │ outside-commit  delivered
 *     ────────────────────── a crash here: as if the slice had never been ───────┤
 *                                                     a crash here: delivered by the next start ──┤
 */
export async function commitSlice(parts: CommitParts): Promise<void> {
  const { file, outside, steps, batches, delivery } = parts
  let slice: SliceCommit
  try {
    steps.enter('send')
    if (parts.sent === undefined) await sendAll(outside, batches)
    else await parts.sent()
    steps.enter('acknowledge')
    await outside?.acknowledged()
    steps.enter('store-begin')
    file.begin()
    steps.enter('store-write')
    slice = parts.write()
    steps.enter('store-commit')
    file.commit(slice)
  } catch (error) {
    file.rollback()
    await outside?.abort().catch(() => {}) // the first error is the one to tell
    throw error
  }
  steps.enter('outside-commit')
  const { token, bytes } = slice.checkpoint
  await outside?.commit({ token, checkpoint: bytes, delivery })
  steps.enter('delivered')
}

async function sendAll(outside: Outside | null, batches: readonly StagedBatch[]): Promise<void> {
  await outside?.begin()
  await outside?.send(batches)
}

/** Delivers a committed slice to an outside that has not got it: the steps of the commit that are the outside's. */
export async function deliver(
  outside: Outside,
  steps: StepObserver,
  batches: readonly StagedBatch[],
  record: CommitRecord,
): Promise<void> {
  try {
    steps.enter('send')
    await sendAll(outside, batches)
    steps.enter('acknowledge')
    await outside.acknowledged()
  } catch (error) {
    await outside.abort().catch(() => {}) // the first error is the one to tell
    throw error
  }
  steps.enter('outside-commit')
  await outside.commit(record)
  steps.enter('delivered')
}
