import { TidemarkError } from '../core/errors.ts'
import { partitionKey } from '../core/offsets.ts'
import type { Plan } from '../planner/plan-types.ts'
import { administer } from './administer.ts'
import type { Change } from './commit-change.ts'
import type { Environment } from './environment.ts'
import { planJob } from './job-plan.ts'
import type { LoadedJob } from './loaded-job.ts'
import { outputTopics } from './output-topics.ts'
import type { Session } from './session.ts'

/** What is to be started over. */
export interface ResetRequest {
  /** All stores, all stream times, and the offsets: the next run starts at the job's start. */
  readonly state: boolean
  /** Stream times only: one record from the far future no longer makes all others late. */
  readonly streamTime: boolean
  /** The topics that the job writes are deleted; the next run makes them anew. */
  readonly outputs: boolean
  /** Tell what would be done and do nothing. */
  readonly dryRun: boolean
}

/** What a reset does, or would do. */
export interface ResetReport {
  readonly job: string
  readonly done: boolean
  readonly stores: readonly string[]
  readonly streamTimes: number
  readonly outputTopics: readonly string[]
  /** Where the next run starts, by `topic/partition`; null where offsets stay. */
  readonly offsets: Readonly<Record<string, number>> | null
}

/** Starts a job's live generation over, as far as asked. Throws USAGE where there is nothing to reset. */
export async function resetJob(env: Environment, loaded: LoadedJob, request: ResetRequest): Promise<ResetReport> {
  const { job } = loaded
  const existing = await env.log.describe([...outputTopics(job).keys()])
  let report: ResetReport | undefined
  await administer(env, loaded, 'reset', async (session) => {
    const change = await resetChange(env, session, request)
    report = {
      job: job.name,
      done: !request.dryRun,
      stores: change.drops,
      streamTimes: Object.keys(session.checkpoint?.streamTimes ?? {}).length,
      outputTopics: request.outputs ? existing.map(({ name }) => name) : [],
      offsets: request.state ? change.checkpoint.offsets : null,
    }
    return request.dryRun ? null : change
  })
  if (report === undefined) throw new Error('a reset has a report')
  if (!request.dryRun) for (const name of report.outputTopics) await env.log.admin().delete(name)
  return report
}

async function resetChange(env: Environment, session: Session, request: ResetRequest): Promise<Change> {
  const { checkpoint, loaded, file } = session
  if (checkpoint === null) {
    throw new TidemarkError('USAGE', `job ${loaded.job.name} has no state to reset`, { hint: 'It has never run here.' })
  }
  const detail = { state: request.state, streamTime: request.streamTime, outputs: request.outputs }
  const event = { kind: 'reset', detail } as const
  if (!request.state) {
    const timeless = request.streamTime ? { streamTimes: {}, streamTimeBy: null, punctuations: {} } : {}
    return { checkpoint: { ...checkpoint, ...timeless, unfinished: null, made: null }, event, drops: [] }
  }
  const facts = { generation: session.generation.name, kind: 'live', checkpoint: null, liveCheckpoint: null } as const
  const { plan } = await planJob(env, loaded, { trigger: 'reset' }, { ...facts, now: env.clock.now() })
  const drops = file.stores().map(({ name }) => name)
  const empty = {
    floors: {},
    partitionTimes: {},
    streamTimes: {},
    streamTimeBy: null,
    punctuations: {},
    stores: {},
    storeSizes: {},
    unfinished: null,
    made: null,
  }
  const { topicIds, clusterId } = plan
  const offsets = starts(plan)
  return {
    checkpoint: { ...checkpoint, ...empty, topicIds, clusterId, offsets },
    event: { ...event, detail: { ...detail, offsets } },
    drops,
  }
}

function starts(plan: Plan): Record<string, number> {
  return Object.fromEntries(plan.partitions.map(({ topic, partition, from }) => [partitionKey(topic, partition), from]))
}
