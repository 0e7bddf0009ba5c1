import { API, type ApiRequest } from './request.ts'

/** Who writes a batch: a producer, in one of its lives. */
export interface ProducerId {
  readonly producerId: number
  readonly producerEpoch: number
}

export interface ProducerInitialised extends ProducerId {
  readonly errorCode: number
}

/**
 * InitProducerId 4. With a transactional id: ends what its last producer left open and fences that producer. Without one:
 * a producer whose batches are appended once, outside transactions.
 */
export function initProducerIdRequest(
  transactionalId: string | null,
  transactionTimeoutMs: number,
): ApiRequest<ProducerInitialised> {
  return {
    name: 'InitProducerId',
    key: API.initProducerId,
    version: 4,
    write: (to) =>
      to
        .string(transactionalId)
        .int32(transactionTimeoutMs)
        .int64(-1) // no producer id yet
        .int16(-1)
        .tags(),
    read: (from) => {
      const throttleMs = from.int32()
      return {
        throttleMs,
        value: { errorCode: from.int16(), producerId: from.int64(), producerEpoch: from.int16() },
      }
    },
  }
}
