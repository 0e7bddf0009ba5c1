import { formatDuration } from '../../../core/duration.ts'
import { TidemarkError } from '../../../core/errors.ts'
import type { CommitRecord } from '../../../ports/outside.ts'

export interface LostTransaction {
  /** What the broker said. */
  readonly cause: Error
  /** The record that this instance had in force. */
  readonly known: CommitRecord | undefined
  /** The record in force now, as far as it could be read. */
  readonly found: CommitRecord | undefined
  /** How long the transaction had been open. */
  readonly openMs: number
  readonly transactionTimeoutMs: number
}

/**
 * Why a producer is fenced: another instance has the job, or the coordinator has given the transaction up. Kafka answers
 * the same to both; the commit record and the time tell them apart.
 */
export function lostTransaction(lost: LostTransaction): TidemarkError {
  const { cause, known, found, openMs, transactionTimeoutMs } = lost
  const other = found?.delivery
  if (other !== undefined && other.instance !== known?.delivery.instance) {
    return fenced(`instance ${other.instance} has taken over this job, for run ${other.runId}`, cause)
  }
  if (other !== undefined && (other.runId !== known?.delivery.runId || found?.token?.id !== known?.token?.id)) {
    return fenced(`another process of the same state directory has taken over this job, for run ${other.runId}`, cause)
  }
  if (openMs < transactionTimeoutMs) return fenced('another instance is taking over this job', cause)
  const [open, timeout] = [formatDuration(openMs), formatDuration(transactionTimeoutMs)]
  return new TidemarkError(
    'LOG_UNREACHABLE',
    `a transaction was open for ${open}; the brokers end it after ${timeout}`,
    {
      hint: 'Make slices smaller (sliceRecords, sliceBytes), or find out what has kept this process waiting.',
      cause,
    },
  )
}

function fenced(message: string, cause: Error): TidemarkError {
  return new TidemarkError('FENCED', message, {
    hint: 'What this run had committed stands. Let one instance at a time run this job.',
    cause,
  })
}
