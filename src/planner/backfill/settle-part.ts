import type { Checkpoint } from '../../core/checkpoint.ts'
import { partitionKey } from '../../core/offsets.ts'
import type { Log } from '../../ports/log.ts'
import type { DataLossPolicy } from '../data-loss-policy.ts'
import { checkIdentity } from '../identity.ts'
import { boundInputs, describeInputs } from '../inputs.ts'
import { hashPlan } from '../plan-hash.ts'
import { planSourcesOf } from '../plan-sources.ts'
import type { Plan } from '../plan-types.ts'
import { settleStarts } from '../settle-starts.ts'

export interface SettleContext {
  readonly log: Log
  readonly checkpoint: Checkpoint | null
  readonly onDataLoss: DataLossPolicy
}

/**
 * The plan of a part as it can be carried out now, from where the checkpoint stands in it. Throws like a new plan:
 * INPUT_LOST where the log has not got what is planned, unless that is skipped, INPUT_MISSING, INPUT_REPLACED.
 */
export async function settlePart(plan: Plan, { log, checkpoint, onDataLoss }: SettleContext): Promise<Plan> {
  const { job, isolation, partitions, clusterId, topicIds } = plan
  const sources = planSourcesOf(partitions)
  const described = await describeInputs(log, job, sources)
  const inputs = await boundInputs(log, sources, described.topics, isolation)
  checkIdentity(job, checkpoint ?? { clusterId, topicIds, offsets: {} }, described, inputs, [])
  const begins = partitions.map(({ topic, partition, from, to }) => {
    const reached = checkpoint?.offsets[partitionKey(topic, partition)] ?? from
    return Math.min(to, Math.max(from, reached))
  })
  const wanted = partitions.flatMap(({ topic, partition, to, startedBy }, index) => {
    const input = inputs.find((each) => each.topic === topic && each.partition === partition)
    const from = begins[index] ?? to
    return input === undefined || from >= to ? [] : [{ input, wanted: from, startedBy }]
  })
  const settled = settleStarts(job, wanted, onDataLoss)
  const available = new Map(
    wanted.map(({ input }, index) => [partitionKey(input.topic, input.partition), settled.from[index]]),
  )
  const changed = {
    ...plan,
    partitions: partitions.map((planned, index) => {
      const from = available.get(partitionKey(planned.topic, planned.partition)) ?? begins[index] ?? planned.from
      return { ...planned, from: Math.min(from, planned.to) }
    }),
    gaps: [...plan.gaps, ...settled.gaps],
    notices: [...plan.notices, ...settled.notices],
  }
  return { ...changed, hash: hashPlan(changed) }
}
