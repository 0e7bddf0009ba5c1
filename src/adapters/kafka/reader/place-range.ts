import { partitionMissing, topicMissing, topicReplaced } from '../../log-rules/read-errors.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { MISSING_TIMES } from '../connection/topics.ts'
import type { TopicMetadata } from '../protocol/metadata.ts'
import type { RangeFetch } from './range-fetch.ts'

/**
 * Takes over where a range's partition is led from, as the cluster says now. Gives the reason why it cannot be fetched yet,
 * if there is one. Throws INPUT_REPLACED for another topic of the same name; INPUT_MISSING when topic or partition were
 * not there several times in a row.
 */
export function placeRange(fetch: RangeFetch, topic: TopicMetadata | undefined): LinkFailure | undefined {
  const { range } = fetch
  if (topic !== undefined && fetch.topicId !== undefined && !topic.id.equals(fetch.topicId)) {
    throw topicReplaced(range.topic)
  }
  const partition = topic?.partitions[range.partition]
  const name = `${range.topic}[${range.partition}]`
  if (topic === undefined || partition === undefined) {
    if (++fetch.missed < MISSING_TIMES) return new LinkFailure(name, 'the brokers do not know it')
    throw topic === undefined ? topicMissing(range.topic) : partitionMissing(range, topic.partitions.length)
  }
  fetch.missed = 0
  fetch.topicId = topic.id
  if (partition.leader < 0) return new LinkFailure(name, 'it has no leader')
  // A broker that has not heard of an election yet does not undo it.
  if (partition.leaderEpoch < fetch.leaderEpoch) return undefined
  fetch.leader = partition.leader
  fetch.leaderEpoch = partition.leaderEpoch
  return undefined
}
