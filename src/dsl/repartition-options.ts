import type { SerdeFor, SerdeKnown } from './serde-known.ts'

/** The serdes of an exchange. That of the values is only needed where they are to be encoded on their way. */
export interface RepartitionSerdes<K, V> {
  readonly key?: SerdeFor<NonNullable<K>>
  readonly value?: SerdeFor<NonNullable<V>>
}

/** A serde for the keys has to be given where none is known. */
export type RepartitionOptions<
  Known extends SerdeKnown,
  K,
  V,
  Given extends RepartitionSerdes<K, V>,
> = Known extends 'serde' ? [serdes?: Given] : [serdes: Given & { readonly key: SerdeFor<NonNullable<K>> }]
