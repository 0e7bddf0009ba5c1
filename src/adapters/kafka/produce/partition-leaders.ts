import type { TidemarkError } from '../../../core/errors.ts'
import type { TopicPartition } from '../../../core/offsets.ts'
import { noSuchPartition, noSuchTopic } from '../../log-rules/output-errors.ts'
import { KAFKA_TOOLS } from '../admin/kafka-tools.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { errorName, isForbidden, isPassing } from '../protocol/error-code.ts'
import type { Metadata } from '../protocol/metadata.ts'
import { forbiddenOutput } from './refused-output.ts'

/** What was just made is not known to every broker at once. */
const KNOWN_WITHIN_MS = 1000
const FIRST_PAUSE_MS = 50

/** Who leads the partitions that are written to. */
export class PartitionLeaders {
  readonly #brokers: Pick<Brokers, 'clock' | 'metadata' | 'recentTopic'>
  /** What is asked next, in one request for all who ask in the same turn. */
  #next: { readonly topics: Set<string>; readonly answer: Promise<Metadata> } | undefined

  constructor(brokers: Pick<Brokers, 'clock' | 'metadata' | 'recentTopic'>) {
    this.#brokers = brokers
  }

  /**
   * The id of the leader; what was told a moment ago will do, unless it is asked `anew`. Throws LinkFailure while there is none or no broker answers, and OUTPUT_REFUSED for a
   * topic or partition that is not there or may not be seen.
   */
  async leaderOf(at: TopicPartition, anew: boolean): Promise<number> {
    const recent = anew ? undefined : this.#brokers.recentTopic(at.topic)?.partitions[at.partition]?.leader
    if (recent !== undefined && recent >= 0) return recent
    const { clock } = this.#brokers
    const limit = clock.monotonic() + KNOWN_WITHIN_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const leader = await this.#look(at)
      if (typeof leader === 'number') return leader
      if (clock.monotonic() >= limit) throw leader
      await clock.sleep(pauseMs)
    }
  }

  /** The leader, or why there is none where that may be because the topic is new. */
  async #look({ topic, partition }: TopicPartition): Promise<number | TidemarkError> {
    this.#next ??= this.#ask()
    this.#next.topics.add(topic)
    const { topics } = await this.#next.answer
    const found = topics.find(({ name }) => name === topic)
    if (found === undefined) return noSuchTopic(topic)
    if (isForbidden(found.errorCode)) throw forbiddenOutput(topic)
    if (isPassing(found.errorCode)) throw new LinkFailure(topic, errorName(found.errorCode))
    if (found.errorCode !== 0) return noSuchTopic(topic)
    const { leader } = found.partitions[partition] ?? {}
    if (leader === undefined) return noSuchPartition({ topic, partition }, found.partitions.length, KAFKA_TOOLS)
    if (leader < 0) throw new LinkFailure(`${topic}[${partition}]`, 'it has no leader now')
    return leader
  }

  #ask(): { readonly topics: Set<string>; readonly answer: Promise<Metadata> } {
    const topics = new Set<string>()
    const answer = Promise.resolve().then(() => {
      this.#next = undefined
      return this.#brokers.metadata([...topics])
    })
    return { topics, answer }
  }
}
