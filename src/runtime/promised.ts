import { TidemarkError } from '../core/errors.ts'
import type { Outbox, StateFile, StoredCheckpoint } from '../ports/state-file.ts'

/** The last commit of a file that has one, with an outbox: an empty one where it is known to be delivered. */
export function promised(file: StateFile): { readonly checkpoint: StoredCheckpoint; readonly outbox: Outbox } {
  const checkpoint = file.checkpoint()
  if (checkpoint === undefined) {
    throw new TidemarkError('STATE_DAMAGED', 'the last commit is gone', {
      hint: 'Restore a backup of the state directory.',
    })
  }
  const { token } = checkpoint
  return { checkpoint, outbox: file.outbox() ?? { token, endsRun: true, batches: [] } }
}
