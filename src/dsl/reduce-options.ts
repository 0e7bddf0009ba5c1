import type { Serde } from '../serde/serde.ts'
import type { SerdeFor, SerdeKnown } from './serde-known.ts'
import type { WindowedOptions } from './windowed-step.ts'

/** What a windowed reduce takes beside its reducer: a serde where none is known, then options. */
export type ReduceOptions<Known extends SerdeKnown, V> =
  | [serde: SerdeFor<V>, options?: WindowedOptions]
  | (Known extends 'serde' ? [options?: WindowedOptions] : never)

/** The serde, null where none is given, and the options. */
export function reduceOptions<Known extends SerdeKnown, V>(
  given: ReduceOptions<Known, V>,
): [serde: Serde<unknown> | null, options: WindowedOptions] {
  const [first, second = {}]: readonly (object | undefined)[] = given
  if (first === undefined || !('encode' in first)) return [null, first ?? {}]
  return [first as Serde<unknown>, second] // the type of the arguments says what the first one is
}
