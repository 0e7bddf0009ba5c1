/** What the tests of one run get of Kafka, decided before they start. */
export interface KafkaOffer {
  /** `host:port` of the broker that TIDEMARK_TEST_KAFKA names, for the suites that share one. */
  readonly given: string | undefined
  /** Brokers are started in this folder as they are needed, or there can be none of our own. */
  readonly own: { readonly folder: string } | { readonly missing: string }
}

/** Why brokers of our own cannot be made. */
export function ownMissing({ own }: KafkaOffer): string | undefined {
  return 'missing' in own ? own.missing : undefined
}

/** Why there is no broker at all. */
export function missing(offer: KafkaOffer): string | undefined {
  return offer.given === undefined ? ownMissing(offer) : undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly kafka: KafkaOffer
  }
}
