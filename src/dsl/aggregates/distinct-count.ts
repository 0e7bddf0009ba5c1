import { json } from '../../serde/json/json.ts'
import type { ReadySpec } from '../aggregate-spec.ts'
import { takenValue } from './taken-number.ts'

/** What can be told apart by its text. */
export type Distinguishable = string | number | bigint | boolean

/** How often each value came, by its text. */
export type Occurrences = Readonly<Record<string, number>>

/**
 * How many different values `of` gives; null and undefined are left out, NaN and infinities are refused. Exact, and so it
 * keeps every one of them: for more than some thousands take `approxDistinctCount`.
 */
export function distinctCount<V, K>(
  of: (value: V, key: K) => Distinguishable | null | undefined,
): ReadySpec<K, V, Occurrences, Occurrences, number> {
  const shifted = (state: Occurrences, value: V, key: K, by: 1 | -1): Occurrences => {
    const one = takenValue('distinctCount', of(value, key))
    return one === null || one === undefined ? state : counted(state, distinctText(one), by)
  }
  return {
    format: 'distinct-count@1',
    init: () => ({}),
    add: (state, value, key) => shifted(state, value, key, 1),
    undo: (state, value, key) => shifted(state, value, key, -1),
    merge: (one, two) => Object.entries(two).reduce((sum, [text, count]) => counted(sum, text, count), one),
    result: (state) => Object.keys(state).length,
    serde: json<Occurrences>(),
  }
}

/** The text that tells a value from all others, whatever their types. */
export function distinctText(value: Distinguishable): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'bigint' ? `${value}n` : String(value)
}

function counted(state: Occurrences, text: string, by: number): Occurrences {
  const count = (state[text] ?? 0) + by
  if (count > 0) return { ...state, [text]: count }
  const { [text]: _, ...others } = state
  return others
}
