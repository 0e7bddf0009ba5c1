import type { NewTopic } from '../../../ports/log.ts'
import type { Brokers } from '../connection/brokers.ts'
import type { AdminResult } from '../protocol/admin-result.ts'
import { createTopicRequest } from '../protocol/create-topic.ts'
import { ERROR } from '../protocol/error-code.ts'
import { change } from './changes.ts'
import { settingsForNew, settingsForOlder } from './new-topic-settings.ts'

/** Makes a topic with the settings of those that are made here, or with `onlyAsk` hears whether it could be made. */
export async function createTopic(
  brokers: Brokers,
  { name, partitions, settings = {} }: NewTopic,
  onlyAsk = false,
): Promise<AdminResult> {
  const created = (wanted: Readonly<Record<string, string>>) =>
    change(brokers, (timeoutMs) => createTopicRequest({ name, partitions, settings: wanted }, timeoutMs, onlyAsk))
  const result = await created(settingsForNew(settings))
  if (result.errorCode !== ERROR.INVALID_CONFIG) return result
  const older = settingsForOlder(settings, result.message ?? '')
  return older === undefined ? result : await created(older)
}
