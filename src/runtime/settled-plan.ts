import type { PlanResult } from '../planner/plan-request.ts'
import type { Environment } from './environment.ts'
import { type PlanFacts, planJob } from './job-plan.ts'
import type { LoadedJob } from './loaded-job.ts'
import type { RunRequest } from './run-request.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1000

/**
 * Makes the plan of a request. Where transactions of others are open that hold back what was asked for, they are waited
 * for first, no longer than the request or the job says: until all that was in the log at the beginning may be read, the
 * time is over, or a stop is asked. What is held back then is left to the next run, as it is without waiting. An endless
 * run has no need to.
 */
export async function settledPlan(
  env: Pick<Environment, 'log' | 'clock'>,
  loaded: LoadedJob,
  request: RunRequest,
  facts: PlanFacts,
): Promise<PlanResult> {
  const { waitForTransactionsMs: waitMs = loaded.job.settings.waitForTransactionsMs } = request
  const result = await planJob(env, loaded, request, facts)
  if (waitMs === 0 || request.endless === true || result.held.length === 0) return result
  await ended(env, result, waitMs, request.stop)
  return planJob(env, loaded, request, facts)
}

async function ended(
  { log, clock }: Pick<Environment, 'log' | 'clock'>,
  { held, plan }: PlanResult,
  waitMs: number,
  stop: RunRequest['stop'],
): Promise<void> {
  const since = clock.monotonic()
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const leftMs = since + waitMs - clock.monotonic()
    if (leftMs <= 0 || (stop !== undefined && stop.asked !== null)) return
    await clock.sleep(Math.min(pauseMs, leftMs), stop?.signal)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    const bounds = await log.bounds(held, plan.isolation)
    if (bounds.every(({ end }, index) => end >= (held[index]?.until ?? 0))) return
  }
}
