import { invalidJob } from '../topology/invalid-job.ts'
import { checkedName } from '../topology/names.ts'
import type { FramedWindows, SessionWindows, SlidingWindows, WindowSpec } from '../topology/windows.ts'
import { aggregateOf } from './aggregate-spec.ts'
import { type CogroupInput, cogroupParents } from './cogroup-parents.ts'
import type { CogroupSpec } from './cogroup-spec.ts'
import type { KGroupedStream } from './kgrouped-stream.ts'
import { KTable } from './ktable.ts'
import type { KnownIfSame, SerdeKnown } from './serde-known.ts'
import { SessionWindowedCogroup } from './session-windowed-cogroup.ts'
import { shownSerde } from './shown-serde.ts'
import { at } from './step.ts'
import { TimeWindowedCogroup } from './time-windowed-cogroup.ts'
import { whereOfCall } from './where-of-call.ts'

/** Grouped streams that fold into one value for each key, each in its own way. `V` is what any of them holds. */
export class CogroupedKStream<K, V, A, Deletes extends null> {
  readonly #inputs: readonly CogroupInput[]

  constructor(inputs: readonly CogroupInput[]) {
    this.#inputs = inputs
  }

  /** One more stream, and how its records are added. */
  cogroup<V2, Known extends SerdeKnown, Kept extends A | null>(
    other: KGroupedStream<K, V2, Known>,
    add: (aggregate: A, value: V2, key: K) => Kept,
  ): CogroupedKStream<K, V | V2, A, Deletes | Extract<Kept, null>> {
    const step = other[at]
    const [first] = this.#inputs
    if (first !== undefined && first.step.key?.format !== step.key?.format) {
      throw invalidJob(
        whereOfCall(),
        `one stream has ${first.step.key?.format} keys, and the other ${step.key?.format} ones`,
        'Equal keys have to be equal bytes: give both the same serde.',
      )
    }
    return new CogroupedKStream([...this.#inputs, { step, add }])
  }

  /** The value of each key, in a store of this name. Records without key or value are left out. */
  aggregate<R = A>(
    name: string,
    spec: CogroupSpec<K, A, R>,
  ): KTable<K, NonNullable<R>, Deletes | Extract<R, null>, 'serde', KnownIfSame<A, R>> {
    const where = whereOfCall()
    const given = checkedName(name, 'a store', where)
    const { draft, key, parents, adders } = cogroupParents(this.#inputs, given, where)
    const aggregate = aggregateOf({ ...spec, add: adders[0] })
    const store = { name: given, key, value: aggregate.serde }
    const node = draft.add({ kind: 'aggregate', where, aggregate, adders, store }, parents, given)
    return new KTable({ draft, node, key, value: shownSerde(aggregate), rekeyed: false })
  }

  /** Cuts each group into windows of time. Sliding windows leave out records without value. */
  windowedBy(windows: FramedWindows | SlidingWindows): TimeWindowedCogroup<K, V, A, Deletes>
  windowedBy(windows: SessionWindows): SessionWindowedCogroup<K, V, A>
  windowedBy(windows: WindowSpec): unknown {
    if (windows.kind === 'session') return new SessionWindowedCogroup(this.#inputs, windows)
    return new TimeWindowedCogroup(this.#inputs, windows)
  }
}
