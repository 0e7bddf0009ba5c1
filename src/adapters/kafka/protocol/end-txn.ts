import type { ProducerId } from './init-producer-id.ts'
import { API, type ApiRequest } from './request.ts'

/** EndTxn 3: decides the open transaction, or asks whether its end is done. Gives the error code. */
export function endTxnRequest(
  transactionalId: string,
  { producerId, producerEpoch }: ProducerId,
  end: 'commit' | 'abort',
): ApiRequest<number> {
  return {
    name: 'EndTxn',
    key: API.endTxn,
    version: 3,
    write: (to) =>
      to
        .string(transactionalId)
        .int64(producerId)
        .int16(producerEpoch)
        .bool(end === 'commit')
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: from.int16() }),
  }
}
