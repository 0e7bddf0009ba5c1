import { type KafkaOffer, missing, ownMissing } from './offer.ts'

/** Which suites for Kafka are skipped, and why; undefined where all are run. */
export function skippedSuites(offer: KafkaOffer): string | undefined {
  const why = ownMissing(offer)
  if (why === undefined) return undefined
  const which = missing(offer) === undefined ? 'that start and stop brokers ' : ''
  return `the suites for Kafka ${which}are skipped: ${why}`
}

/** Why a run that was told to require Kafka, by `TIDEMARK_TEST_KAFKA_REQUIRED`, is to fail; undefined where it need not. */
export function unmetNeed(offer: KafkaOffer, env: NodeJS.ProcessEnv): string | undefined {
  return env.TIDEMARK_TEST_KAFKA_REQUIRED ? skippedSuites(offer) : undefined
}
