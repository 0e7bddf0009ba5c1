import type { AttemptEnd } from './attempt-run.ts'
import { errorOf } from './run-verdict.ts'
import type { ScheduledJob } from './scheduled-job.ts'
import type { SlotOrder } from './slot-order.ts'

/** What a hook gets: the report of the run as `run --json` prints it, with what the scheduler knows beside it. */
export function hookDocument(
  event: 'success' | 'failure',
  { name }: ScheduledJob,
  { trigger }: SlotOrder,
  { end, asked }: AttemptEnd,
  attempts: number,
): Readonly<Record<string, unknown>> {
  const { status, report, problem } = end
  const known = { event, job: name, trigger, exitStatus: status, attempts, timedOut: asked === 'timeout' }
  return report === null ? { ...known, status: 'crashed', problem } : { ...report, ...known }
}

/** Why a run failed, in one line. */
export function whyItFailed({ end, asked }: AttemptEnd): string {
  const { code, message } = errorOf(end.report) ?? {}
  if (asked === 'timeout') return 'it took longer than its time-out'
  if (typeof code === 'string' && typeof message === 'string') return `${code}: ${message}`
  return end.problem ?? `exit status ${end.status}`
}
