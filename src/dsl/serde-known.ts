import type { Serde } from '../serde/serde.ts'

/** Whether a stream's or table's keys or values have a serde: from their topic, their store, or given by the user. */
export type SerdeKnown = 'serde' | 'no serde'

/** A serde that reads and writes exactly `T`: one for a part of it, or for something else, does not fit. */
export interface SerdeFor<T> extends Pick<Serde<T>, 'format' | 'decode' | 'encodeKey' | 'decodeKey'> {
  readonly encode: (value: T) => Uint8Array
}

/** The argument of a step that makes bytes: a serde has to be given where none is known. */
export type GivenSerde<Known extends SerdeKnown, T> = Known extends 'serde'
  ? [serde?: SerdeFor<T>]
  : [serde: SerdeFor<T>]

/** Known where both are. */
export type BothKnown<One extends SerdeKnown, Two extends SerdeKnown> = One extends 'serde' ? Two : 'no serde'

/** Known where a serde of `A` is one of `B` too. */
export type KnownIfSame<A, B> = [A] extends [B] ? ([B] extends [A] ? 'serde' : 'no serde') : 'no serde'
