import { partitionKey } from '../core/offsets.ts'
import { resolveOffsets } from '../planner/resolve-offsets.ts'
import { administer } from './administer.ts'
import type { Environment } from './environment.ts'
import { jobInputs, planSources } from './input/job-inputs.ts'
import type { LoadedJob } from './loaded-job.ts'

export interface CheckpointMove {
  readonly topic: string
  readonly partition: number
  /** Null for a partition that had no offset. */
  readonly from: number | null
  readonly to: number
}

/**
 * Moves the live checkpoint's offsets to a bound: what lies between is skipped, or read again into the same state. The
 * state stays as it is. Where `dryRun`, tells the moves and makes none. A plan that was not finished is dropped.
 */
export async function setCheckpoint(
  env: Environment,
  loaded: LoadedJob,
  bound: string,
  dryRun: boolean,
): Promise<readonly CheckpointMove[]> {
  let moves: readonly CheckpointMove[] = []
  await administer(env, loaded, 'checkpoint-set', async ({ checkpoint }) => {
    const { settings } = loaded.job
    const resolved = await resolveOffsets({
      job: loaded.job.name,
      sources: planSources(jobInputs(loaded.job)),
      checkpoint,
      bound,
      isolation: settings.isolation,
      maxFutureSkew: settings.maxFutureSkew,
      now: env.clock.now(),
      log: env.log,
    })
    moves = resolved.offsets.map(({ topic, partition, offset }) => {
      return { topic, partition, from: checkpoint?.offsets[partitionKey(topic, partition)] ?? null, to: offset }
    })
    if (dryRun) return null
    const offsets = { ...checkpoint?.offsets }
    for (const { topic, partition, to } of moves) offsets[partitionKey(topic, partition)] = to
    const { topicIds, clusterId } = resolved
    const detail = { bound, moves }
    return {
      checkpoint: {
        version: 1,
        token: { seq: 0, id: '', parent: null },
        partitionTimes: {},
        streamTimes: {},
        streamTimeBy: null,
        stores: {},
        storeSizes: {},
        exchangePartitions: Math.max(1, ...moves.map(({ partition }) => partition + 1)),
        punctuations: {},
        ...checkpoint,
        clusterId,
        topicIds: { ...checkpoint?.topicIds, ...topicIds },
        offsets,
        floors: {},
        unfinished: null,
        made: null,
      },
      event: { kind: 'checkpoint-set', detail },
      drops: [],
    }
  })
  return moves
}
