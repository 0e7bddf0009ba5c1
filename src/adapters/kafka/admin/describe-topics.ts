import type { TopicDescription } from '../../../ports/log.ts'
import type { Brokers } from '../connection/brokers.ts'
import { topicsNow } from '../connection/topics.ts'
import { describeConfigsRequest } from '../protocol/describe-configs.ts'
import { ERROR } from '../protocol/error-code.ts'

/**
 * Topics by name, of those named the ones that exist. Kafka's own are left out unless they are named. Settings are those in
 * force; none where the user may not see them.
 */
export async function describeTopics(
  brokers: Brokers,
  names?: readonly string[],
): Promise<readonly TopicDescription[]> {
  if (names?.length === 0) return []
  return brokers.retried(async () => {
    // Of topics that are named, both are asked at once: there are no settings of one that is not there.
    const [found, known] = await Promise.all([topicsNow(brokers, names), settingsOf(brokers, names ?? [])])
    const topics = [...found.values()]
      .filter(({ isInternal }) => names !== undefined || !isInternal)
      .sort((left, right) => (left.name < right.name ? -1 : 1))
    const settings =
      names === undefined
        ? await settingsOf(
            brokers,
            topics.map(({ name }) => name),
          )
        : known
    return topics.map(({ name, id, partitions }) => {
      return { name, id: id.toString('base64url'), partitions: partitions.length, settings: settings.get(name) ?? {} }
    })
  })
}

async function settingsOf(
  brokers: Brokers,
  topics: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  if (topics.length === 0) return new Map()
  const described = await brokers.any(describeConfigsRequest(topics))
  return new Map(
    described.filter(({ errorCode }) => errorCode === ERROR.NONE).map(({ topic, settings }) => [topic, settings]),
  )
}
