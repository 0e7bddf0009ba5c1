import type { SessionWindows } from '../topology/windows.ts'
import type { CogroupInput } from './cogroup-parents.ts'
import type { MergeableCogroupSpec } from './cogroup-spec.ts'
import type { KnownIfSame } from './serde-known.ts'
import { WindowedKTable } from './windowed-ktable.ts'
import { type WindowedOptions, windowedCogroupStep } from './windowed-step.ts'

/** Grouped streams that fold into one value for each session. Each has a stream time of its own. */
export class SessionWindowedCogroup<K, V, A> {
  readonly #inputs: readonly CogroupInput[]
  readonly #windows: SessionWindows

  constructor(inputs: readonly CogroupInput[], windows: SessionWindows) {
    this.#inputs = inputs
    this.#windows = windows
  }

  /** The value of each session, in a store of this name. */
  aggregate<R = A>(
    name: string,
    spec: MergeableCogroupSpec<K, A, R>,
    options: Pick<WindowedOptions, 'retention'> = {},
  ): WindowedKTable<K, NonNullable<R>, null, KnownIfSame<A, R>, V, 'no serde'> {
    return new WindowedKTable(...windowedCogroupStep(this.#inputs, this.#windows, name, spec, options))
  }
}
