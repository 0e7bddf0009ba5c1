import type { FramedWindows, SlidingWindows } from '../topology/windows.ts'
import type { CogroupInput } from './cogroup-parents.ts'
import type { CogroupSpec } from './cogroup-spec.ts'
import type { KnownIfSame } from './serde-known.ts'
import { WindowedKTable } from './windowed-ktable.ts'
import { type WindowedOptions, windowedCogroupStep } from './windowed-step.ts'

/** Grouped streams that fold into one value for each key and window. Each has a stream time of its own. */
export class TimeWindowedCogroup<K, V, A, Deletes extends null> {
  readonly #inputs: readonly CogroupInput[]
  readonly #windows: FramedWindows | SlidingWindows

  constructor(inputs: readonly CogroupInput[], windows: FramedWindows | SlidingWindows) {
    this.#inputs = inputs
    this.#windows = windows
  }

  /** The value of each key and window, in a store of this name. */
  aggregate<R = A>(
    name: string,
    spec: CogroupSpec<K, A, R>,
    options: Pick<WindowedOptions, 'retention'> = {},
  ): WindowedKTable<K, NonNullable<R>, Deletes | Extract<R, null>, KnownIfSame<A, R>, V, 'no serde'> {
    return new WindowedKTable(...windowedCogroupStep(this.#inputs, this.#windows, name, spec, options))
  }
}
