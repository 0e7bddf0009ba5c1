import type { AdminResult } from './admin-result.ts'
import type { ByteReader } from './byte-reader.ts'
import { firstOf } from './create-topic.ts'
import { API, type ApiRequest } from './request.ts'

/** CreatePartitions 2: a topic has `count` partitions then. */
export function createPartitionsRequest(topic: string, count: number, timeoutMs: number): ApiRequest<AdminResult> {
  return {
    name: 'CreatePartitions',
    key: API.createPartitions,
    version: 2,
    write: (to) =>
      to
        .array([topic], (name) =>
          to
            .string(name)
            .int32(count)
            .array(null, () => {})
            .tags(),
        )
        .int32(timeoutMs)
        .bool(false) // validate only
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
