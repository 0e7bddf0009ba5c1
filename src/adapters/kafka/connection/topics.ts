import type { TopicPartition } from '../../../core/offsets.ts'
import { partitionMissing, topicMissing } from '../../log-rules/read-errors.ts'
import { ERROR, isUnknownTopic } from '../protocol/error-code.ts'
import type { TopicMetadata } from '../protocol/metadata.ts'
import type { Brokers } from './brokers.ts'
import { refusal } from './refusal.ts'

/** How often a topic has to be missing before it is: brokers hear of a new one one after the other. */
export const MISSING_TIMES = 3
const PAUSE_MS = 100

/** The topics named that exist, or all, by name. Throws LinkFailure when no broker answers. */
export async function topicsNow(
  brokers: Brokers,
  names: readonly string[] | undefined,
): Promise<ReadonlyMap<string, TopicMetadata>> {
  const found = new Map<string, TopicMetadata>()
  const { topics } = await brokers.metadata(names)
  for (const topic of topics) {
    const { errorCode, name } = topic
    if (isUnknownTopic(errorCode) || errorCode === ERROR.INVALID_TOPIC_EXCEPTION) continue
    if (errorCode !== ERROR.NONE) throw refusal(errorCode, { topic: name })
    found.set(name, topic)
  }
  return found
}

/** The topics of these partitions, where all are known from a moment ago. */
export function recentTopicsOf(
  brokers: Brokers,
  partitions: readonly TopicPartition[],
): ReadonlyMap<string, TopicMetadata> | undefined {
  const found = new Map<string, TopicMetadata>()
  for (const { topic, partition } of partitions) {
    const recent = brokers.recentTopic(topic)
    if (recent?.partitions[partition] === undefined) return undefined
    found.set(topic, recent)
  }
  return found
}

/** The topics of these partitions. Throws INPUT_MISSING when one of them, or the partition, is not there. */
export async function topicsOf(
  brokers: Brokers,
  partitions: readonly TopicPartition[],
): Promise<ReadonlyMap<string, TopicMetadata>> {
  const names = [...new Set(partitions.map(({ topic }) => topic))]
  for (let asked = 1; ; asked++) {
    const found = await topicsNow(brokers, names)
    const missing = partitions.find(({ topic, partition }) => found.get(topic)?.partitions[partition] === undefined)
    if (missing === undefined) return found
    if (asked === MISSING_TIMES) {
      const topic = found.get(missing.topic)
      throw topic === undefined ? topicMissing(missing.topic) : partitionMissing(missing, topic.partitions.length)
    }
    await brokers.clock.sleep(PAUSE_MS)
  }
}
