import { setImmediate } from 'node:timers/promises'
import { isTidemarkError } from '../../../core/errors.ts'
import type { LogFile } from './log-file.ts'
import type { LogTables } from './log-tables.ts'

/** Bytes removed in one transaction: others can write in between. */
const STEP_BYTES = 64 * 1024 * 1024

/**
 * Removes the batches that nobody can reach: those of deleted topics and those below a log start. What a crash or a
 * busy file leaves behind goes with the next sweep.
 */
export async function sweep(file: LogFile): Promise<void> {
  try {
    while (file.write(sweepStep)) await setImmediate()
  } catch (error) {
    if (!isTidemarkError(error, 'STATE_BUSY')) throw error
  }
}

/** Tells whether there may be more to do. */
function sweepStep({ topics, batches }: LogTables): boolean {
  const garbage = topics.firstGarbage()
  if (garbage === undefined) {
    topics.deleteOrphans()
    return false
  }
  const { partition, end } = garbage
  for (const row of batches.between(partition, 0, end, STEP_BYTES).rows) {
    if (row.nextOffset <= end) batches.delete(partition, row)
  }
  return true
}
