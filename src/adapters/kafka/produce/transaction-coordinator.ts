import { formatDuration } from '../../../core/duration.ts'
import { TidemarkError } from '../../../core/errors.ts'
import type { TopicPartition } from '../../../core/offsets.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { unreachable } from '../connection/unreachable-error.ts'
import { addPartitionsToTxnRequest } from '../protocol/add-partitions-to-txn.ts'
import { endTxnRequest } from '../protocol/end-txn.ts'
import { ERROR, errorName, isPassing } from '../protocol/error-code.ts'
import { findCoordinatorRequest } from '../protocol/find-coordinator.ts'
import { initProducerIdRequest, type ProducerId } from '../protocol/init-producer-id.ts'
import type { ApiRequest } from '../protocol/request.ts'
import { ProducerFenced } from './producer-fenced.ts'
import { forbiddenOutput } from './refused-output.ts'

/** The transaction before is being ended, which takes milliseconds. */
const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 20

const FENCED: ReadonlySet<number> = new Set([
  ERROR.INVALID_PRODUCER_EPOCH,
  ERROR.PRODUCER_FENCED,
  ERROR.INVALID_PRODUCER_ID_MAPPING,
  ERROR.INVALID_TXN_STATE,
])

/** It is another broker now, or does not know yet that it is this one, or has not heard of a topic. */
const ELSEWHERE: ReadonlySet<number> = new Set([
  ERROR.COORDINATOR_LOAD_IN_PROGRESS,
  ERROR.COORDINATOR_NOT_AVAILABLE,
  ERROR.NOT_COORDINATOR,
  ERROR.UNKNOWN_TOPIC_OR_PARTITION,
])

/** What is needed of the brokers. */
export type CoordinatorBrokers = Pick<
  Brokers,
  'knowsNodes' | 'settings' | 'clock' | 'retry' | 'node' | 'any' | 'metadata'
>

/**
 * The broker that decides the transactions of one transactional id. Every method asks until it is answered, for the bound
 * on retries: LOG_UNREACHABLE then. Throws ProducerFenced where the id, or the transaction, is not the producer's any more,
 * and OUTPUT_REFUSED for what is not allowed.
 */
export class TransactionCoordinator {
  readonly transactionalId: string
  readonly #brokers: CoordinatorBrokers
  #node: number | undefined
  #lost = false

  constructor(brokers: CoordinatorBrokers, transactionalId: string) {
    this.#brokers = brokers
    this.transactionalId = transactionalId
  }

  /** Looks for the coordinator, where that is not known yet. */
  async find(): Promise<void> {
    if (this.#node !== undefined) return
    // Where it cannot be found now, the first that is asked of it tries again, and tells why.
    await this.#find().catch(() => undefined)
  }

  /** Ends what another producer of this id has left open, one way or the other, and fences it. */
  async initialise(transactionTimeoutMs: number): Promise<ProducerId> {
    const request = initProducerIdRequest(this.transactionalId, transactionTimeoutMs)
    const { producerId, producerEpoch } = await this.#asked(request, (answer) => {
      if (answer.errorCode !== ERROR.INVALID_TRANSACTION_TIMEOUT) return answer.errorCode
      throw tooLong(transactionTimeoutMs)
    })
    return { producerId, producerEpoch }
  }

  /** Takes the partitions into the producer's transaction, which is opened where none is. */
  async add(producer: ProducerId, partitions: readonly TopicPartition[]): Promise<void> {
    const request = addPartitionsToTxnRequest(this.transactionalId, producer, partitions)
    await this.#asked(request, (answers) => {
      const failed = answers.filter(({ errorCode }) => errorCode !== ERROR.NONE)
      const forbidden = failed.find(({ errorCode }) => errorCode === ERROR.TOPIC_AUTHORIZATION_FAILED)
      if (forbidden !== undefined) throw forbiddenOutput(forbidden.topic)
      // Those that were all right by themselves are not attempted either: it is the others that tell why.
      const [first] = failed.filter(({ errorCode }) => errorCode !== ERROR.OPERATION_NOT_ATTEMPTED)
      return first?.errorCode ?? ERROR.NONE
    })
  }

  /** Decides the open transaction. Readers see it decided a little later. */
  async end(producer: ProducerId, how: 'commit' | 'abort'): Promise<void> {
    await this.#asked(endTxnRequest(this.transactionalId, producer, how), (errorCode) => errorCode)
  }

  /** Resolves when readers see the transaction that `end` has committed: it is asked again until it says that it is done. */
  async settled(producer: ProducerId): Promise<void> {
    try {
      await this.end(producer, 'commit')
    } catch (error) {
      // Whoever fences this producer had to wait for the same.
      if (!(error instanceof ProducerFenced)) throw error
    }
  }

  async #asked<T>(request: ApiRequest<T>, errorOf: (answer: T) => number): Promise<T> {
    const { clock, settings } = this.#brokers
    const retry = this.#brokers.retry()
    let since: number | undefined
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      try {
        const answer = await this.#brokers.node(await this.#find(), request)
        const errorCode = errorOf(answer)
        if (errorCode === ERROR.NONE) return answer
        if (errorCode !== ERROR.CONCURRENT_TRANSACTIONS) throw this.#failure(request, errorCode)
        since ??= clock.monotonic()
        if (clock.monotonic() - since > settings.retryForMs) throw stillEnding(this.transactionalId)
        await clock.sleep(pauseMs)
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error
        this.#node = undefined
        this.#lost = true
        await retry.failed(error)
      }
    }
  }

  async #find(): Promise<number> {
    if (this.#node !== undefined) return this.#node
    if (this.#lost || !this.#brokers.knowsNodes) await this.#brokers.metadata([]) // which tells where the brokers are
    const request = findCoordinatorRequest(this.transactionalId)
    const { errorCode, nodeId } = await this.#brokers.any(request)
    if (errorCode !== ERROR.NONE) throw this.#failure(request, errorCode)
    this.#node = nodeId
    this.#lost = false
    return nodeId
  }

  #failure({ name }: Pick<ApiRequest<unknown>, 'name'>, errorCode: number): Error {
    const about = `${name} for ${this.transactionalId}: ${errorName(errorCode)}`
    if (FENCED.has(errorCode)) return new ProducerFenced(errorCode)
    if (ELSEWHERE.has(errorCode) || isPassing(errorCode)) return new LinkFailure('the coordinator', about)
    if (errorCode === ERROR.TRANSACTIONAL_ID_AUTHORIZATION_FAILED) {
      return new TidemarkError('OUTPUT_REFUSED', `the transactional id ${this.transactionalId} may not be used`, {
        hint: 'Give the user that is logged in the rights to describe and write this transactional id.',
      })
    }
    return new TidemarkError('OUTPUT_REFUSED', about, { hint: "Look into the broker's log." })
  }
}

function tooLong(transactionTimeoutMs: number): TidemarkError {
  const timeout = formatDuration(transactionTimeoutMs)
  return new TidemarkError('CONFIG_INVALID', `the brokers do not allow transactions of ${timeout}`, {
    hint: `Set transaction.max.timeout.ms of the brokers to ${transactionTimeoutMs} or more.`,
  })
}

function stillEnding(transactionalId: string): TidemarkError {
  return unreachable(`the transaction before, of ${transactionalId}, does not come to its end`)
}
