import { ERROR_CODES, type ErrorCode, EXIT } from '../core/error-codes.ts'
import type { RunEnd } from '../ports/run-launcher.ts'

/** Who asked a run to stop: its job's time-out, a newer slot, or the end of the scheduler. */
export type Asked = 'timeout' | 'newer-slot' | 'end'

/**
 * What an attempt came to. `again`: it failed for a reason that may pass. `busy`: so, because somebody else runs the job.
 * `stopped`: it was asked to, or got a signal from somebody; what is left of it is finished by the next run.
 */
export type RunVerdict = 'done' | 'again' | 'busy' | 'failed' | 'stopped'

/** Judges an attempt by how its process ended, as the table of exit statuses has it. */
export function runVerdict({ status, report }: RunEnd, asked: Asked | null): RunVerdict {
  if (status === EXIT.ok) return 'done'
  if (asked === 'timeout') return 'again'
  if (asked !== null || status === EXIT.interrupted || status === EXIT.terminated) return 'stopped'
  if (status === null || status === EXIT.unreachable) return 'again'
  if (status !== EXIT.tryAgain) return 'failed'
  const code = errorCodeOf(report)
  return code === 'LOCKED' || code === 'LEASED' ? 'busy' : 'again'
}

/** The code of the error in a report, or null. */
export function errorCodeOf(report: RunEnd['report']): ErrorCode | null {
  const code = errorOf(report)?.code
  return typeof code === 'string' && code in ERROR_CODES ? (code as ErrorCode) : null
}

/** The error in a report, or null. */
export function errorOf(report: RunEnd['report']): Readonly<Record<string, unknown>> | null {
  const error = report?.error
  return typeof error === 'object' && error !== null ? { ...error } : null
}
