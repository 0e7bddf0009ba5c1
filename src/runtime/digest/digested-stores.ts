import type { KeyTimeState, KeyValueState, Stores, WindowState } from '../../operators/state.ts'
import type { Digest } from './digest.ts'
import { digestValue } from './digest-value.ts'

/** Stores of which every update is digested, before the write-behind folds it. `of` gives the digest of a store in a task. */
export function digestedStores(stores: Stores, of: (store: string, task: number) => Digest): Stores {
  return {
    keyValue: (store, task) => keyValue(stores.keyValue(store, task), of(store, task)),
    window: (store, task, newest) => window(stores.window(store, task, newest), of(store, task)),
    keyTime: (store, task, newest) => keyTime(stores.keyTime(store, task, newest), of(store, task)),
  }
}

function keyValue(state: KeyValueState, digest: Digest): KeyValueState {
  return {
    ...state,
    put: (key, value, timestamp) => {
      digest.text(key)
      digest.number(timestamp)
      digestValue(digest, value)
      state.put(key, value, timestamp)
    },
    delete: (key) => {
      digest.text(key)
      digest.number(DELETED)
      state.delete(key)
    },
  }
}

function window(state: WindowState, digest: Digest): WindowState {
  return {
    ...state,
    put: (key, start, value, timestamp) => {
      digest.text(key)
      digest.number(start)
      digest.number(timestamp)
      digestValue(digest, value)
      state.put(key, start, value, timestamp)
    },
    delete: (key, start) => {
      digest.text(key)
      digest.number(start)
      digest.number(DELETED)
      state.delete(key, start)
    },
  }
}

function keyTime(state: KeyTimeState, digest: Digest): KeyTimeState {
  return {
    ...state,
    put: (key, time, ordinal, value, timestamp) => {
      digest.text(key)
      digest.number(time)
      digest.number(ordinal)
      digest.number(timestamp)
      digestValue(digest, value)
      state.put(key, time, ordinal, value, timestamp)
    },
    delete: (key, time, ordinal) => {
      digest.text(key)
      digest.number(time)
      digest.number(ordinal)
      digest.number(DELETED)
      state.delete(key, time, ordinal)
    },
  }
}

/** No timestamp is that. */
const DELETED = -2
