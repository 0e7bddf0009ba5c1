import type { TopicPartition } from '../../../core/offsets.ts'
import type { Isolation } from '../../../ports/log.ts'
import { ERROR, isUnknownTopic } from '../protocol/error-code.ts'
import { listOffsetsRequest } from '../protocol/list-offsets.ts'
import type { PartitionMetadata, TopicMetadata } from '../protocol/metadata.ts'
import type { Brokers } from './brokers.ts'
import { LinkFailure } from './link-failure.ts'
import { refusal } from './refusal.ts'
import { recentTopicsOf, topicsOf } from './topics.ts'

export interface AskedOffset extends TopicPartition {
  /** Epoch ms, 0 or more, or EARLIEST or LATEST. */
  readonly timestamp: number
  readonly isolation: Isolation
}

/** One request: no partition is in it twice. */
interface Batch {
  readonly leader: number
  readonly isolation: Isolation
  readonly queries: { readonly index: number; readonly partition: PartitionMetadata; readonly asked: AskedOffset }[]
}

/**
 * Offsets in the order asked, -1 where no record is at or past a time. What is asked first of a partition is answered
 * first. Throws INPUT_MISSING, LOG_UNREACHABLE.
 */
export async function listOffsets(brokers: Brokers, asked: readonly AskedOffset[]): Promise<readonly number[]> {
  if (asked.length === 0) return []
  // Where a leader has changed since, it says so, and the next attempt asks.
  let recent = recentTopicsOf(brokers, asked)
  return brokers.retried(async () => {
    const offsets = new Array<number>(asked.length).fill(-1)
    const topics = recent ?? (await topicsOf(brokers, asked))
    recent = undefined
    const batches = batchesOf(asked, topics)
    await Promise.all(batches.map((batch) => answer(brokers, batch, offsets)))
    return offsets
  })
}

function batchesOf(asked: readonly AskedOffset[], topics: ReadonlyMap<string, TopicMetadata>): Batch[] {
  const batches = new Map<string, Batch>()
  const times = new Map<string, number>()
  for (const [index, each] of asked.entries()) {
    const { topic, partition, isolation } = each
    const metadata = topics.get(topic)?.partitions[partition]
    if (metadata === undefined || metadata.leader < 0)
      throw new LinkFailure(`${topic}[${partition}]`, 'it has no leader')
    const round = times.get(`${topic}/${partition}/${isolation}`) ?? 0
    times.set(`${topic}/${partition}/${isolation}`, round + 1)
    const key = `${round}/${isolation}/${metadata.leader}`
    const batch = batches.get(key) ?? { leader: metadata.leader, isolation, queries: [] }
    batches.set(key, batch)
    batch.queries.push({ index, partition: metadata, asked: each })
  }
  return [...batches.values()]
}

async function answer(brokers: Brokers, { leader, isolation, queries }: Batch, offsets: number[]): Promise<void> {
  const request = listOffsetsRequest(
    queries.map(({ asked, partition }) => ({ ...asked, leaderEpoch: partition.leaderEpoch })),
    isolation,
  )
  const found = new Map<string, number>()
  for (const { topic, partition, errorCode, offset } of await brokers.node(leader, request)) {
    const at = { topic, partition }
    // The topic was there a moment ago: the next attempt tells whether it is gone.
    if (isUnknownTopic(errorCode)) throw new LinkFailure(`${topic}[${partition}]`, 'its leader does not know it')
    if (errorCode !== ERROR.NONE) throw refusal(errorCode, at)
    found.set(`${topic}/${partition}`, offset)
  }
  for (const { index, asked } of queries) {
    const offset = found.get(`${asked.topic}/${asked.partition}`)
    if (offset === undefined) throw new LinkFailure(`${asked.topic}[${asked.partition}]`, 'its leader gives no offset')
    offsets[index] = offset
  }
}
