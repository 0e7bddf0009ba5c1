import type { RunDigests } from '../../ports/history.ts'

/** Names under which two runs have other digests, sorted. */
export interface ChangedDigests {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly stores: readonly string[]
}

export function changedDigests(one: RunDigests, other: RunDigests): ChangedDigests {
  return {
    inputs: changed(one.inputs, other.inputs),
    outputs: changed(one.outputs, other.outputs),
    stores: changed(one.stores, other.stores),
  }
}

function changed(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => one[name] !== other[name]).sort()
}
