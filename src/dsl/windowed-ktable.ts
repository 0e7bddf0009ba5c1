import type { Windowed } from '../core/windowed.ts'
import type { KStream } from './kstream.ts'
import { KTable } from './ktable.ts'
import type { SerdeKnown } from './serde-known.ts'
import { at, type Step } from './step.ts'
import { whereOfCall } from './where-of-call.ts'

/** The table of a windowed aggregate: one entry for each key and window. `LateValue` is what its stream carries. */
export class WindowedKTable<
  K,
  V,
  Deletes extends null,
  ValueSerde extends SerdeKnown,
  LateValue,
  LateSerde extends SerdeKnown,
> extends KTable<Windowed<K>, V, Deletes, 'serde', ValueSerde> {
  readonly #grouped: Step

  constructor(step: Step, grouped: Step) {
    super(step)
    this.#grouped = grouped
  }

  /** The records that missed at least one of their windows, once each, as they are. */
  late(): KStream<K, LateValue, 'serde', LateSerde>
  /** The same, as `mapper` makes them from the value, the key and the windows that were missed, by start. */
  late<R>(mapper: (value: LateValue, key: K, missed: readonly Windowed<K>[]) => R): KStream<K, R, 'serde', 'no serde'>
  late(mapper: ((value: LateValue, key: K, missed: readonly Windowed<K>[]) => unknown) | null = null): unknown {
    const { draft, key, value } = this.#grouped
    const node = draft.add({ kind: 'late', where: whereOfCall(), mapper }, [this[at].node])
    return draft.make.stream({ draft, node, key, value: mapper === null ? value : null, rekeyed: false })
  }
}
