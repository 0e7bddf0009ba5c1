import { TidemarkError } from '../core/errors.ts'
import type { Where } from './nodes.ts'

/** The error of a mistake in a job file: where it stands, what is wrong, what to do. */
export function invalidJob(where: Where | null, message: string, hint: string): TidemarkError {
  return new TidemarkError('JOB_INVALID', where === null ? message : `${formatWhere(where)}: ${message}`, { hint })
}

/** `file:line`. */
export function formatWhere({ file, line }: Where): string {
  return `${file}:${line}`
}
