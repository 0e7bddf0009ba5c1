import { type ProducerStamp, stampedHeader } from '../../../src/wire/stamp.ts'

/** Puts the header that a producer sends into the batch itself. */
export function stampProducer(batch: Buffer, stamp: ProducerStamp): void {
  stampedHeader(batch, stamp).copy(batch)
}
