import { createHash } from 'node:crypto'
import { cutParts } from '../../planner/backfill/cut-parts.ts'
import { expiredStarts, rangeExpired } from '../../planner/backfill/expired-starts.ts'
import { missingParts } from '../../planner/backfill/missing-parts.ts'
import { canonicalJson } from '../../planner/canonical-json.ts'
import { coverageOf } from '../../planner/coverage.ts'
import { hashPlan } from '../../planner/plan-hash.ts'
import type { ProcessedRange } from '../../planner/processed-range.ts'
import type { Environment } from '../environment.ts'
import { processedOf } from '../history/processed-of.ts'
import { planJob } from '../job-plan.ts'
import { liveCheckpoint } from '../live-checkpoint.ts'
import type { LoadedJob } from '../loaded-job.ts'
import { readGeneration } from '../read-generation.ts'
import { askedRange, fillsMissing } from './backfill-bounds.ts'
import type { BackfillRequest } from './backfill-request.ts'
import type { StoredBackfill } from './stored-backfill.ts'

/**
 * Plans a backfill that has not begun: the whole of it under its generation's name, and its parts, none where nothing is
 * missing. Asks the log and the history, and changes nothing. Throws as a plan does, and INPUT_LOST for what has expired.
 */
export async function planBackfill(
  env: Environment,
  loaded: LoadedJob,
  request: BackfillRequest,
  now: number,
): Promise<StoredBackfill> {
  const { onDataLoss } = request
  const live = liveCheckpoint(env, loaded.job.name)
  const facts = {
    generation: null,
    kind: 'range',
    checkpoint: null,
    liveCheckpoint: live?.checkpoint ?? null,
    now,
  } as const
  const asked = { trigger: 'backfill', ...askedRange(request), onDataLoss }
  const { plan } = await planJob(env, loaded, asked, facts)
  const expired = expiredStarts(plan, await env.log.bounds(plan.partitions, plan.isolation))
  if (expired.length > 0 && onDataLoss === 'fail') throw rangeExpired(loaded.job.name, expired)
  const whole = { ...plan, notices: [...plan.notices, ...expired] }
  const skew = loaded.job.settings.maxFutureSkew
  const latest = skew === null || skew.then === 'fail' ? Number.POSITIVE_INFINITY : now + skew.limitMs
  const parts = request.missing
    ? missingParts(whole, coverageOf(processed(env, loaded.job.name)))
    : await cutParts(whole, request.every, { log: env.log, latest })
  const made = request.missing ? `missing-${shortHash([parts, plan.topicIds])}` : `backfill-${plan.generation}`
  const named = { ...whole, generation: request.as ?? made }
  return { whole: { ...named, hash: hashPlan(named) }, parts }
}

/** What was processed for good: by what is or was live, by ranges that published, and by backfills of what was missing. */
function processed({ state }: Pick<Environment, 'state'>, job: string): readonly ProcessedRange[] {
  if (!state.jobs().includes(job)) return []
  const jobFile = state.jobFile(job)
  try {
    const counted = jobFile.generations().filter(({ role, published, bounds }) => {
      return role === 'live' || role === 'retired' || (role === 'range' && (published || fillsMissing(bounds)))
    })
    return counted.flatMap(({ name }) => readGeneration(state, job, name, (file) => (file ? processedOf(file) : [])))
  } finally {
    jobFile.close()
  }
}

function shortHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 8)
}
