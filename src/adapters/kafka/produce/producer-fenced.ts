import { errorName } from '../protocol/error-code.ts'

/**
 * The broker does not take this producer's word any more: another one has its transactional id, or the coordinator has
 * given its transaction up. Which of the two, the caller has to find out.
 */
export class ProducerFenced extends Error {
  constructor(errorCode: number) {
    super(`the broker answers ${errorName(errorCode)}`)
    this.name = 'ProducerFenced'
  }
}
