import { API, type ApiRequest } from './request.ts'

export interface CoordinatorFound {
  readonly errorCode: number
  /** -1 with an error. */
  readonly nodeId: number
}

const TRANSACTION = 1

/** FindCoordinator 3, for a transactional id. */
export function findCoordinatorRequest(transactionalId: string): ApiRequest<CoordinatorFound> {
  return {
    name: 'FindCoordinator',
    key: API.findCoordinator,
    version: 3,
    write: (to) => to.string(transactionalId).int8(TRANSACTION).tags(),
    read: (from) => {
      const throttleMs = from.int32()
      const errorCode = from.int16()
      from.nullableString() // message
      return { throttleMs, value: { errorCode, nodeId: from.int32() } }
    },
  }
}
