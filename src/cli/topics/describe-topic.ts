import { TidemarkError } from '../../core/errors.ts'
import { partitionsOf } from '../../core/offsets.ts'
import { nearNames } from '../../planner/near-names.ts'
import type { Log, PartitionBounds, TopicDescription } from '../../ports/log.ts'

export interface TopicState extends TopicDescription {
  readonly bounds: readonly PartitionBounds[]
}

/** A topic with the bounds of its partitions, as a reader of committed records sees them. Throws INPUT_MISSING. */
export async function describeTopic(log: Log, name: string): Promise<TopicState> {
  const [topic] = await describeTopics(log, [name])
  if (topic === undefined) throw new Error('a topic that is there was not described')
  return topic
}

/** All topics, or those named, in the order of their names. Throws INPUT_MISSING, with names that are near. */
export async function describeTopics(log: Log, names?: readonly string[]): Promise<readonly TopicState[]> {
  const topics = await log.describe(names)
  const missing = names?.find((name) => !topics.some((topic) => topic.name === name))
  if (missing !== undefined) throw topicMissing(missing, await log.describe())
  const partitions = topics.flatMap(({ name, partitions }) => partitionsOf(name, partitions))
  const bounds = await log.bounds(partitions, 'read_committed')
  return topics.map((topic) => ({ ...topic, bounds: bounds.filter((each) => each.topic === topic.name) }))
}

/** Offsets between start and end: the records, where none were compacted away. */
export function offsetsIn(bounds: readonly PartitionBounds[]): number {
  return bounds.reduce((sum, { start, end }) => sum + end - start, 0)
}

function topicMissing(name: string, known: readonly TopicDescription[]): TidemarkError {
  const names = known.map((topic) => topic.name)
  const near = nearNames(name, names)
  const all = names.length === 0 ? 'The log has no topics yet.' : 'See `tidemark log list`.'
  return new TidemarkError('INPUT_MISSING', `there is no topic ${name}`, {
    at: { topic: name },
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : all,
  })
}
