import type { Serde } from '../serde/serde.ts'
import type { Node } from '../topology/nodes.ts'
import type { Process, TaskContext } from './operator.ts'

/** How one step is wired into its task: all that a step is made of, beside its node. */
export interface Step {
  readonly context: TaskContext
  /** To the steps below, in their order; `nothing` where there are none. */
  readonly forward: Process
  /** To the steps that take late records, with the missed windows in the place of `old`; null where nobody does. */
  readonly late: Process | null
  /** The ways out of a step with branches, by number; null where nothing follows. */
  readonly branches: readonly (Process | null)[]
  /** True where this step gives its children the value before. Then `old` is null for a row that was not there. */
  readonly sendsOld: boolean
  /** The serde in which the arriving key stands in `record.rawKey`; null where the key has been made since. */
  readonly rawKey: Serde<unknown> | null
  /** The serde in which the arriving value stands in `record.bytes`; null where the value has been made since. */
  readonly rawValue: Serde<unknown> | null
  /** The nodes of the topology, by id. */
  readonly nodes: readonly Node[]
}

/** The forward of a step without children. */
export const nothing: Process = () => {}
