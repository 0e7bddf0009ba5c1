import type { ByteString } from '../../core/bytes.ts'
import type { KeyTimeState } from '../state.ts'

/** Adds a row behind those of the same key and time. */
export function addArrival(state: KeyTimeState, key: ByteString, time: number, value: unknown): void {
  const before = state.range(key, time, time + 1).at(-1)
  state.put(key, time, before === undefined ? 0 : before.ordinal + 1, value, time)
}
