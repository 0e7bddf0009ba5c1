import { json } from '../../serde/json/json.ts'
import type { ReadySpec } from '../aggregate-spec.ts'

/** How many records there are. */
export function count<V, K>(): ReadySpec<K, V, number> {
  return COUNT
}

const COUNT: ReadySpec<unknown, unknown, number> = Object.freeze({
  format: 'count@1',
  init: () => 0,
  add: (counted: number) => counted + 1,
  undo: (counted: number) => counted - 1,
  merge: (one: number, two: number) => one + two,
  serde: json<number>(),
  readsValue: false,
})
