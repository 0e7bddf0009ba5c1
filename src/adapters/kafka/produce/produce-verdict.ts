import { ERROR, isPassing } from '../protocol/error-code.ts'

/** What a broker's answer means for a batch. */
export type ProduceVerdict =
  /** It is in the log, now or from an earlier try. */
  | 'done'
  /** It may succeed later, perhaps at another broker. */
  | 'retry'
  /** As one batch it is too large. */
  | 'too-large'
  /** A batch before it is not in the log. */
  | 'out-of-order'
  /** The transaction is not this producer's any more. */
  | 'fenced'
  /** It will never be accepted. */
  | 'refused'

const VERDICTS: ReadonlyMap<number, ProduceVerdict> = new Map<number, ProduceVerdict>([
  [ERROR.NONE, 'done'],
  [ERROR.DUPLICATE_SEQUENCE_NUMBER, 'done'],
  [ERROR.UNKNOWN_TOPIC_OR_PARTITION, 'retry'], // just made, or gone: the metadata will tell
  [ERROR.MESSAGE_TOO_LARGE, 'too-large'],
  [ERROR.RECORD_LIST_TOO_LARGE, 'too-large'],
  [ERROR.OUT_OF_ORDER_SEQUENCE_NUMBER, 'out-of-order'],
  [ERROR.UNKNOWN_PRODUCER_ID, 'out-of-order'],
  [ERROR.INVALID_PRODUCER_EPOCH, 'fenced'],
  [ERROR.PRODUCER_FENCED, 'fenced'],
  [ERROR.INVALID_PRODUCER_ID_MAPPING, 'fenced'],
  [ERROR.INVALID_TXN_STATE, 'fenced'],
  [ERROR.NOT_ENOUGH_REPLICAS, 'retry'],
  [ERROR.NOT_ENOUGH_REPLICAS_AFTER_APPEND, 'retry'],
  [ERROR.CORRUPT_MESSAGE, 'retry'], // damaged on its way: the bytes were checked before they were sent
  [ERROR.CONCURRENT_TRANSACTIONS, 'retry'],
  [ERROR.COORDINATOR_LOAD_IN_PROGRESS, 'retry'],
  [ERROR.COORDINATOR_NOT_AVAILABLE, 'retry'],
  [ERROR.NOT_COORDINATOR, 'retry'],
])

/** An error that is not known is taken for one that lasts. */
export function produceVerdict(errorCode: number): ProduceVerdict {
  return VERDICTS.get(errorCode) ?? (isPassing(errorCode) ? 'retry' : 'refused')
}
