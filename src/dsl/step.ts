import type { Serde } from '../serde/serde.ts'
import type { JobDraft } from './job-draft.ts'

/** Where a stream or table of a job under construction comes from, and how its keys and values become bytes. */
export interface Step {
  readonly draft: JobDraft
  /** Id of the node in the draft. */
  readonly node: number
  /** Null where none is known. */
  readonly key: Serde<unknown> | null
  readonly value: Serde<unknown> | null
  /** `key` where it was made for a windowed table: no step has put such keys into bytes, so a sink takes any serde of them. */
  readonly windowedKey?: Serde<unknown>
  /** True where keys were changed since the last exchange, so that equal keys may lie in different tasks. */
  readonly rekeyed: boolean
}

/** Under this name the objects of the surface keep their step. */
export const at: unique symbol = Symbol('step')
