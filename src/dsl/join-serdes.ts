import type { Duration } from '../core/duration.ts'
import type { BothKnown, SerdeFor, SerdeKnown } from './serde-known.ts'

/** How long records wait before they are joined with a versioned table; the serde of their values, where none is known. */
export type GraceJoinOptions<ValueSerde extends SerdeKnown, V> = {
  readonly grace: Duration
} & (ValueSerde extends 'serde' ? { readonly serde?: SerdeFor<V> } : { readonly serde: SerdeFor<V> })

/** The serdes of the values that a join of streams keeps: each has to be given where none is known. */
export type JoinedSerdesFor<Left extends SerdeKnown, V, Right extends SerdeKnown, V2> =
  BothKnown<Left, Right> extends 'serde'
    ? [serdes?: GivenSide<'left', Left, V> & GivenSide<'right', Right, V2>]
    : [serdes: GivenSide<'left', Left, V> & GivenSide<'right', Right, V2>]

type GivenSide<Side extends string, Known extends SerdeKnown, V> = Known extends 'serde'
  ? { readonly [side in Side]?: SerdeFor<NonNullable<V>> }
  : { readonly [side in Side]: SerdeFor<NonNullable<V>> }
