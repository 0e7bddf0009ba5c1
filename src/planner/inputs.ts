import { TidemarkError } from '../core/errors.ts'
import { partitionsOf } from '../core/offsets.ts'
import type { Isolation, Log, PartitionBounds, TopicDescription } from '../ports/log.ts'
import { comparePlaces, type PartitionPlace } from './merge-order.ts'
import { nearNames } from './near-names.ts'
import type { PlanSource } from './plan-request.ts'

/** A partition of an input topic, as the log had it when the plan was made. */
export interface InputPartition extends PartitionBounds, PartitionPlace {
  readonly recordTime: boolean
}

/** What the log says about a job's input topics. */
export interface InputTopics {
  readonly clusterId: string
  /** In the order of the sources. */
  readonly topics: readonly TopicDescription[]
}

/** Throws INPUT_MISSING with names that are near, and creates nothing. */
export async function describeInputs(log: Log, job: string, sources: readonly PlanSource[]): Promise<InputTopics> {
  const found = await log.describe(sources.map((source) => source.topic))
  const missing = sources.filter((source) => !found.some((topic) => topic.name === source.topic))
  if (missing.length > 0) throw await missingTopics(log, job, missing)
  const topics = sources.map((source) => found.find((topic) => topic.name === source.topic) as TopicDescription)
  return { clusterId: await log.clusterId(), topics }
}

async function missingTopics(log: Log, job: string, missing: readonly PlanSource[]): Promise<TidemarkError> {
  const names = missing.map((source) => source.topic)
  const known = (await log.describe()).map((topic) => topic.name)
  const near = [...new Set(names.flatMap((name) => nearNames(name, known)))]
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Create it and fill it first: tidemark log import.'
  const [topic = ''] = names
  const what = names.length === 1 ? `topic ${topic} does not exist` : `topics ${names.join(', ')} do not exist`
  return new TidemarkError('INPUT_MISSING', what, { hint, at: { job, topic } })
}

/** The bounds of every partition, in merge order, all asked at once. */
export async function boundInputs(
  log: Log,
  sources: readonly PlanSource[],
  topics: readonly TopicDescription[],
  isolation: Isolation,
): Promise<readonly InputPartition[]> {
  const places = sources.flatMap(({ topic, role, rank, recordTime }, index) =>
    partitionsOf(topic, topics[index]?.partitions ?? 0).map((place) => ({ ...place, role, rank, recordTime })),
  )
  const bounds = await log.bounds(places, isolation)
  return places.map((place, index) => ({ ...place, ...(bounds[index] as PartitionBounds) })).sort(comparePlaces)
}
