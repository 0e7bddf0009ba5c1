import type { KafkaOffer } from './offer.ts'

/** Why a run that was told to require Kafka, by `TIDEMARK_TEST_KAFKA_REQUIRED`, is to fail; undefined where it need not. */
export function unmetNeed(offer: KafkaOffer, env: NodeJS.ProcessEnv): string | undefined {
  if (offer.kind !== 'none' || !env.TIDEMARK_TEST_KAFKA_REQUIRED) return undefined
  return `the suites for Kafka are skipped: ${offer.why}`
}
