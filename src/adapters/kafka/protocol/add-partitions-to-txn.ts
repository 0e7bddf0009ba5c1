import type { TopicPartition } from '../../../core/offsets.ts'
import { byTopic } from './by-topic.ts'
import type { ProducerId } from './init-producer-id.ts'
import { API, type ApiRequest } from './request.ts'

export interface PartitionAdded extends TopicPartition {
  readonly errorCode: number
}

/** AddPartitionsToTxn 3: all of them, or an error for each. */
export function addPartitionsToTxnRequest(
  transactionalId: string,
  { producerId, producerEpoch }: ProducerId,
  partitions: readonly TopicPartition[],
): ApiRequest<readonly PartitionAdded[]> {
  return {
    name: 'AddPartitionsToTxn',
    key: API.addPartitionsToTxn,
    version: 3,
    write: (to) =>
      to
        .string(transactionalId)
        .int64(producerId)
        .int16(producerEpoch)
        .array(byTopic(partitions), ([topic, ofTopic]) =>
          to
            .string(topic)
            .array(ofTopic, ({ partition }) => to.int32(partition))
            .tags(),
        )
        .tags(),
    read: (from) => {
      const throttleMs = from.int32()
      const value = from.array(() => {
        const topic = from.string()
        const added = from.array(() => {
          const one = { topic, partition: from.int32(), errorCode: from.int16() }
          from.tags()
          return one
        })
        from.tags()
        return added
      })
      return { throttleMs, value: value.flat() }
    },
  }
}
