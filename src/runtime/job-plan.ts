import type { Checkpoint } from '../core/checkpoint.ts'
import { makePlan } from '../planner/plan.ts'
import type { PlanResult } from '../planner/plan-request.ts'
import type { Environment } from './environment.ts'
import { jobInputs, planSources, publishedExchanges } from './input/job-inputs.ts'
import type { LoadedJob } from './loaded-job.ts'
import type { RunRequest } from './run-request.ts'

export interface PlanFacts {
  /** Null for a range that is named after its bounds. */
  readonly generation: string | null
  readonly kind: 'live' | 'range'
  readonly checkpoint: Checkpoint | null
  readonly liveCheckpoint: Checkpoint | null
  readonly now: number
}

/** Makes the plan of a request. Reads bounds from the log and nothing else. */
export function planJob(
  env: Pick<Environment, 'log'>,
  { job }: LoadedJob,
  request: RunRequest,
  facts: PlanFacts,
): Promise<PlanResult> {
  const { settings } = job
  return makePlan({
    job: job.name,
    ...facts,
    sources: planSources(jobInputs(job)),
    exchanges: publishedExchanges(job),
    from: facts.checkpoint === null && facts.kind === 'range' ? (request.from ?? 'checkpoint') : 'checkpoint',
    to: request.to ?? 'latest',
    start: settings.start,
    isolation: settings.isolation,
    onDataLoss: request.onDataLoss ?? 'fail',
    acceptTopics: request.acceptTopics ?? [],
    closeWindows: request.closeWindows ?? false,
    advanceTime: request.advanceTime ?? false,
    maxFutureSkew: settings.maxFutureSkew,
    log: env.log,
  })
}
