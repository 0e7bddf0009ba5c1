import { describeTopics } from '../admin/describe-topics.ts'
import type { Brokers } from '../connection/brokers.ts'

/** The `max.message.bytes` of a topic, or undefined where it may not be seen. */
export async function limitOf(brokers: Brokers, topic: string): Promise<number | undefined> {
  const [found] = await describeTopics(brokers, [topic])
  const limit = found?.settings['max.message.bytes']
  return limit === undefined ? undefined : Number(limit)
}
