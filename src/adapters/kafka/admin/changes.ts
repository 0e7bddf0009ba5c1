import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { unreachable } from '../connection/unreachable-error.ts'
import type { AdminResult } from '../protocol/admin-result.ts'
import { ERROR, errorName } from '../protocol/error-code.ts'
import type { ApiRequest } from '../protocol/request.ts'

/** Answers after which a change was not made, and may be asked for again. */
const NOT_MADE: ReadonlySet<number> = new Set([ERROR.NOT_CONTROLLER, ERROR.THROTTLING_QUOTA_EXCEEDED])

/**
 * Asks the cluster for a change, once: where the answer is lost, nobody knows whether it was made, and LOG_UNREACHABLE says
 * so. `request` is given the time that brokers may take for it.
 */
export async function change(
  brokers: Brokers,
  request: (timeoutMs: number) => ApiRequest<AdminResult>,
): Promise<AdminResult> {
  const asked = request(Math.ceil(brokers.settings.requestTimeoutMs / 2))
  return brokers.retried(async () => {
    const { controllerId } = await brokers.metadata([])
    const result = await brokers.node(controllerId, asked).catch((error: unknown) => {
      throw error instanceof LinkFailure
        ? unreachable(`${error.message}; whether it was done is not known`, error)
        : error
    })
    if (NOT_MADE.has(result.errorCode)) throw new LinkFailure('the controller', errorName(result.errorCode))
    return result
  })
}

/** Waits until the change can be seen: brokers learn of it one after the other. Throws LOG_UNREACHABLE after the bound. */
export async function seen<T>(
  brokers: Brokers,
  what: string,
  look: () => Promise<T>,
  isSeen: (found: T) => boolean,
): Promise<T> {
  return brokers.retried(async () => {
    const found = await look()
    if (!isSeen(found)) throw new LinkFailure(what, 'the brokers do not show the change yet')
    return found
  })
}
