import type { AdminResult } from './admin-result.ts'
import type { ByteReader } from './byte-reader.ts'
import { firstOf } from './create-topic.ts'
import { API, type ApiRequest } from './request.ts'

/** DeleteTopics 5, for one topic. */
export function deleteTopicRequest(topic: string, timeoutMs: number): ApiRequest<AdminResult> {
  return {
    name: 'DeleteTopics',
    key: API.deleteTopics,
    version: 5,
    write: (to) =>
      to
        .array([topic], (name) => to.string(name))
        .int32(timeoutMs)
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: firstOf(from.array(readResult)) }),
  }
}

function readResult(from: ByteReader): AdminResult {
  from.string() // name
  const result = { errorCode: from.int16(), message: from.nullableString() }
  from.tags()
  return result
}
