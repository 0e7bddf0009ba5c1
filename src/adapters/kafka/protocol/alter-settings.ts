import type { AdminResult } from './admin-result.ts'
import type { ByteReader } from './byte-reader.ts'
import { firstOf } from './create-topic.ts'
import { TOPIC_RESOURCE } from './describe-configs.ts'
import { API, type ApiRequest } from './request.ts'

const SET = 0

/** IncrementalAlterConfigs 1: settings of a topic that are not named stay as they are. */
export function alterSettingsRequest(
  topic: string,
  settings: Readonly<Record<string, string>>,
): ApiRequest<AdminResult> {
  return {
    name: 'IncrementalAlterConfigs',
    key: API.incrementalAlterConfigs,
    version: 1,
    write: (to) =>
      to
        .array([topic], () => {
          to.int8(TOPIC_RESOURCE).string(topic)
          to.array(Object.entries(settings), ([name, value]) => to.string(name).int8(SET).string(value).tags()).tags()
        })
        .bool(false) // validate only
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: firstOf(from.array(readResult)) }),
  }
}

function readResult(from: ByteReader): AdminResult {
  const result = { errorCode: from.int16(), message: from.nullableString() }
  from.int8() // resource type
  from.string()
  from.tags()
  return result
}
