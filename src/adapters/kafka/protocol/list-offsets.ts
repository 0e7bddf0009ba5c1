import type { Isolation } from '../../../ports/log.ts'
import { byTopic } from './by-topic.ts'
import type { ByteReader } from './byte-reader.ts'
import { isolationNumber } from './isolation-number.ts'
import { API, type ApiRequest } from './request.ts'

/** Instead of a time: the log start. */
export const EARLIEST = -2
/** Instead of a time: the last stable offset, or the high watermark when uncommitted records are read. */
export const LATEST = -1

export interface OffsetQuery {
  readonly topic: string
  readonly partition: number
  /** Epoch ms, 0 or more, or EARLIEST or LATEST. */
  readonly timestamp: number
  /** -1 to ask any leader. */
  readonly leaderEpoch: number
}

export interface OffsetFound {
  readonly topic: string
  readonly partition: number
  readonly errorCode: number
  /** -1 where no record is at or past the time. */
  readonly offset: number
}

/** ListOffsets 6. A partition may be asked about once; leaders alone answer. */
export function listOffsetsRequest(
  queries: readonly OffsetQuery[],
  isolation: Isolation,
): ApiRequest<readonly OffsetFound[]> {
  return {
    name: 'ListOffsets',
    key: API.listOffsets,
    version: 6,
    write: (to) =>
      to
        .int32(-1) // not a replica
        .int8(isolationNumber(isolation))
        .array(byTopic(queries), ([topic, partitions]) =>
          to
            .string(topic)
            .array(partitions, ({ partition, leaderEpoch, timestamp }) =>
              to.int32(partition).int32(leaderEpoch).int64(timestamp).tags(),
            )
            .tags(),
        )
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: from.array(readTopic).flat() }),
  }
}

function readTopic(from: ByteReader): OffsetFound[] {
  const topic = from.string()
  const found = from.array(() => {
    const partition = from.int32()
    const errorCode = from.int16()
    from.skip(8) // the record's timestamp, which may be any number
    const offset = from.int64()
    from.skip(4) // leader epoch
    from.tags()
    return { topic, partition, errorCode, offset }
  })
  from.tags()
  return found
}
