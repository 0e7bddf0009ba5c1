import type { Isolation, LogWatch, PartitionPosition } from '../../../ports/log.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { topicsNow } from '../connection/topics.ts'
import { type FetchPartition, fetchRequest } from '../protocol/fetch.ts'
import type { TopicMetadata } from '../protocol/metadata.ts'

/** How long a broker keeps a request that it has nothing for, ms. */
const LONGEST_POLL_MS = 500
/** After what went wrong, before the caller may ask again, ms. */
const PAUSE_MS = 100

/**
 * Waits with a Fetch to each leader, which the brokers hold until a partition has something to read. A connection is held up
 * meanwhile: `brokers` are the watch's own. A request that is still held when another broker has answered is waited for
 * again by the next call, as long as nothing has come to its partitions.
 */
export class KafkaLogWatch implements LogWatch {
  readonly #brokers: Brokers
  readonly #isolation: Isolation
  /** Requests under way, by leader. */
  readonly #held = new Map<number, Promise<boolean>>()
  #topics: ReadonlyMap<string, TopicMetadata> | undefined

  constructor(brokers: Brokers, isolation: Isolation) {
    this.#brokers = brokers
    this.#isolation = isolation
  }

  async arrival(positions: readonly PartitionPosition[], waitMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return
    let over = false
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => {
      stop = () => {
        over = true
        resolve()
      }
    })
    signal?.addEventListener('abort', stop)
    try {
      const waited = this.#polled(positions, waitMs, () => over)
      await Promise.race([waited, stopped])
    } finally {
      over = true
      signal?.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    await this.#brokers.close()
  }

  /** Never rejects. */
  async #polled(positions: readonly PartitionPosition[], waitMs: number, isOver: () => boolean): Promise<void> {
    const { clock } = this.#brokers
    const until = clock.monotonic() + waitMs
    try {
      for (let leftMs = waitMs; leftMs > 0 && !isOver(); leftMs = until - clock.monotonic()) {
        this.#topics ??= await topicsNow(this.#brokers, [...new Set(positions.map(({ topic }) => topic))])
        const leaders = byLeader(positions, this.#topics)
        const polls = [...leaders].map(([leader, wanted]) =>
          this.#poll(leader, wanted, Math.min(leftMs, LONGEST_POLL_MS)),
        )
        if (await Promise.race(polls)) return
      }
    } catch {
      this.#topics = undefined
      await clock.sleep(PAUSE_MS)
    }
  }

  /** True where something has come, or is wrong. */
  #poll(leader: number, wanted: readonly FetchPartition[], waitMs: number): Promise<boolean> {
    const held = this.#held.get(leader)
    if (held !== undefined) return held
    const request = fetchRequest(wanted, this.#isolation, 1, Math.ceil(waitMs))
    const poll = this.#brokers
      .node(leader, request)
      .then(({ errorCode, partitions }) => {
        const isWrong = errorCode !== 0 || partitions.some((partition) => partition.errorCode !== 0)
        if (isWrong) throw new LinkFailure(`broker ${leader}`, 'it does not let these partitions be watched')
        return partitions.some(({ records }) => records.length > 0)
      })
      .finally(() => this.#held.delete(leader))
    poll.catch(() => {}) // nobody may be waiting any more
    this.#held.set(leader, poll)
    return poll
  }
}

function byLeader(
  positions: readonly PartitionPosition[],
  topics: ReadonlyMap<string, TopicMetadata>,
): ReadonlyMap<number, readonly FetchPartition[]> {
  const leaders = new Map<number, FetchPartition[]>()
  for (const { topic, partition, offset } of positions) {
    const found = topics.get(topic)
    const led = found?.partitions[partition]
    if (found === undefined || led === undefined || led.leader < 0) {
      throw new LinkFailure(`${topic}[${partition}]`, 'it has no leader')
    }
    const wanted = { topicId: found.id, partition, offset, leaderEpoch: led.leaderEpoch, lastEpoch: -1, maxBytes: 1 }
    const others = leaders.get(led.leader)
    if (others === undefined) leaders.set(led.leader, [wanted])
    else others.push(wanted)
  }
  return leaders
}
