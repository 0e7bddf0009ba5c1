import type { TopicPartition } from '../../../core/offsets.ts'
import type { AdminResult } from './admin-result.ts'
import type { ByteReader } from './byte-reader.ts'
import { firstOf } from './create-topic.ts'
import { API, type ApiRequest } from './request.ts'

/** DeleteRecords 2, to the leader: the log starts at `offset` then, or later. */
export function deleteRecordsRequest(at: TopicPartition, offset: number, timeoutMs: number): ApiRequest<AdminResult> {
  return {
    name: 'DeleteRecords',
    key: API.deleteRecords,
    version: 2,
    write: (to) =>
      to
        .array([at], ({ topic, partition }) => {
          to.string(topic)
            .array([partition], () => to.int32(partition).int64(offset).tags())
            .tags()
        })
        .int32(timeoutMs)
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: firstOf(from.array(readTopic).flat()) }),
  }
}

function readTopic(from: ByteReader): AdminResult[] {
  from.string() // topic
  const results = from.array(() => {
    from.skip(4 + 8) // partition, log start
    const errorCode = from.int16()
    from.tags()
    return { errorCode, message: null }
  })
  from.tags()
  return results
}
