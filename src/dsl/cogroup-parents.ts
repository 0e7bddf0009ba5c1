import type { Serde } from '../serde/serde.ts'
import type { Aggregate } from '../topology/aggregate.ts'
import type { Where } from '../topology/nodes.ts'
import { exchanged } from './exchanged.ts'
import type { JobDraft } from './job-draft.ts'
import { known } from './known.ts'
import type { Step } from './step.ts'

// biome-ignore lint/suspicious/noExplicitAny: a node holds its callbacks untyped; the surface has checked them
type Add = Aggregate<any, any, any, any>['add']

/** A grouped stream of a cogroup, and how its records are added. */
export interface CogroupInput {
  readonly step: Step
  readonly add: Add
}

/** What the node of a cogroup is made of. */
export interface CogroupParents {
  readonly draft: JobDraft
  readonly key: Serde<unknown>
  /** Of all streams, where they have the same. */
  readonly value: Serde<unknown> | null
  readonly parents: readonly number[]
  readonly adders: readonly [Add, ...Add[]]
}

/** Brings the records of all streams to the tasks of their keys. */
export function cogroupParents(inputs: readonly CogroupInput[], name: string, where: Where | null): CogroupParents {
  const [first, ...others] = inputs
  if (first === undefined) throw new Error('a cogroup has a stream')
  const key = known(first.step.key, `the serde of the keys of ${name}`, where)
  const { draft, value } = first.step
  return {
    draft,
    key,
    value: others.every(({ step }) => step.value === value) ? value : null,
    parents: inputs.map(({ step }) => exchanged(step, key, where).node),
    adders: [first.add, ...others.map(({ add }) => add)],
  }
}
