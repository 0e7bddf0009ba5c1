import type { Checkpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import { partitionKey } from '../core/offsets.ts'
import type { Log } from '../ports/log.ts'
import type { DataLossPolicy } from './data-loss-policy.ts'
import { checkIdentity } from './identity.ts'
import { boundInputs, describeInputs, type InputPartition } from './inputs.ts'
import { listSome } from './list-some.ts'
import { planSourcesOf } from './plan-sources.ts'
import type { Plan } from './plan-types.ts'
import { settleStarts } from './settle-starts.ts'

export interface UnfinishedRequest {
  readonly plan: Plan
  readonly checkpoint: Checkpoint
  readonly onDataLoss: DataLossPolicy
  readonly acceptTopics: readonly string[]
  readonly log: Log
}

/**
 * Whether a plan that an earlier attempt left can be carried on from the checkpoint. False where the request gives up
 * what the plan still needs: a topic that is accepted anew, or data that is skipped as lost. Then the plan is dropped, and
 * a new one records the loss. Throws INPUT_MISSING, INPUT_REPLACED and INPUT_LOST like a new plan.
 */
export async function canCarryOn({
  plan,
  checkpoint,
  onDataLoss,
  acceptTopics,
  log,
}: UnfinishedRequest): Promise<boolean> {
  const { job, isolation, partitions } = plan
  const sources = planSourcesOf(partitions)
  const described = await describeInputs(log, job, sources)
  const inputs = await boundInputs(log, sources, described.topics, isolation)
  const accepts = acceptTopics.filter((topic) => sources.some((source) => source.topic === topic))
  if (checkIdentity(job, checkpoint, described, inputs, accepts).length > 0) return false
  const open = partitions.flatMap((planned) => {
    const { topic, partition, from, to } = planned
    const input = inputs.find((candidate) => candidate.topic === topic && candidate.partition === partition)
    const wanted = checkpoint.offsets[partitionKey(topic, partition)] ?? from
    return input === undefined || wanted >= to ? [] : [{ input, wanted, to, startedBy: planned.startedBy }]
  })
  if (settleStarts(job, open, onDataLoss).gaps.length > 0) return false
  const short = open.filter(({ input, to }) => input.highWatermark < to)
  if (short.length > 0 && onDataLoss === 'fail') throw shorterThanPlan(job, short)
  return short.length === 0
}

function shorterThanPlan(job: string, short: readonly { input: InputPartition; to: number }[]): TidemarkError {
  const names = short.map(
    ({ input, to }) => `${input.topic}[${input.partition}] ends at ${input.highWatermark}, not ${to}`,
  )
  return new TidemarkError('INPUT_LOST', `log shorter than the plan that is to be finished: ${listSome(names)}`, {
    hint: 'To drop that plan and go on from what is there: --on-data-loss skip.',
    at: { job },
  })
}
