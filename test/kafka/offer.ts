/** What the tests of one run get of Kafka, decided before they start. */
export type KafkaOffer =
  | { readonly kind: 'given'; readonly bootstrap: string }
  /** A broker that the first test to need it starts in this folder. */
  | { readonly kind: 'own'; readonly folder: string }
  | { readonly kind: 'none'; readonly why: string }

declare module 'vitest' {
  interface ProvidedContext {
    readonly kafka: KafkaOffer
  }
}
