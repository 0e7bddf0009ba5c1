import { isTidemarkError } from '../../core/errors.ts'
import type { Log, TopicDescription } from '../../ports/log.ts'

/** A topic that is about to be made or filled; undefined where it is not there, or not even a log, which it will make. */
export async function findTopic(log: Log, name: string): Promise<TopicDescription | undefined> {
  try {
    const [topic] = await log.describe([name])
    return topic
  } catch (error) {
    if (isTidemarkError(error, 'LOG_UNREACHABLE')) return undefined
    throw error
  }
}
