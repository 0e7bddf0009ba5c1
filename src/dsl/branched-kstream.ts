import { invalidJob } from '../topology/invalid-job.ts'
import { checkedName } from '../topology/names.ts'
import type { SplitNode, Where } from '../topology/nodes.ts'
import type { KStream } from './kstream.ts'
import type { SerdeKnown } from './serde-known.ts'
import type { Step } from './step.ts'
import { whereOfCall } from './where-of-call.ts'

interface Branch {
  readonly name: string
  readonly where: Where | null
}

/** A name for a branch that none has yet. */
type NewName<Name extends string, Branches> = Name extends keyof Branches ? never : Name

/**
 * A stream on its way into branches: a record goes into the first one whose predicate holds. `Rest` is what is left for
 * the branches to come; `Branches` are the streams so far, by name.
 */
export class BranchedKStream<K, Rest, KeySerde extends SerdeKnown, ValueSerde extends SerdeKnown, Branches> {
  readonly #step: Step
  readonly #where: Where | null
  readonly #predicates: SplitNode['predicates']
  readonly #branches: readonly Branch[]

  constructor(
    step: Step,
    where: Where | null,
    predicates: SplitNode['predicates'] = [],
    branches: readonly Branch[] = [],
  ) {
    this.#step = step
    this.#where = where
    this.#predicates = predicates
    this.#branches = branches
  }

  /** The records for which `predicate` holds, of those that no branch before has taken. */
  branch<Name extends string, V2 extends Rest>(
    name: NewName<Name, Branches>,
    predicate: (value: Rest, key: K) => value is V2,
  ): BranchedKStream<
    K,
    Exclude<Rest, V2>,
    KeySerde,
    ValueSerde,
    Branches & { readonly [N in Name]: KStream<K, V2, KeySerde, ValueSerde> }
  >
  branch<Name extends string>(
    name: NewName<Name, Branches>,
    predicate: (value: Rest, key: K) => boolean,
  ): BranchedKStream<
    K,
    Rest,
    KeySerde,
    ValueSerde,
    Branches & { readonly [N in Name]: KStream<K, Rest, KeySerde, ValueSerde> }
  >
  branch(name: string, predicate: SplitNode['predicates'][number]): unknown {
    const branches = this.#with(name)
    return new BranchedKStream(this.#step, this.#where, [...this.#predicates, predicate], branches)
  }

  /** The records that no branch has taken. Gives all branches by name. */
  defaultBranch<Name extends string>(
    name: NewName<Name, Branches>,
  ): Branches & { readonly [N in Name]: KStream<K, Rest, KeySerde, ValueSerde> }
  defaultBranch(name: string): unknown {
    return this.#made(this.#with(name))
  }

  /** Leaves out the records that no branch has taken. Gives all branches by name. */
  noDefaultBranch(): Branches
  noDefaultBranch(): unknown {
    return this.#made(this.#branches)
  }

  #with(name: string): readonly Branch[] {
    const where = whereOfCall()
    const given = checkedName(name, 'a branch', where)
    if (this.#branches.every((branch) => branch.name !== given)) return [...this.#branches, { name: given, where }]
    throw invalidJob(where, `two branches are called ${given}`, 'Give one of them another name.')
  }

  #made(branches: readonly Branch[]): Record<string, unknown> {
    const { draft, node } = this.#step
    const split = draft.add({ kind: 'split', where: this.#where, predicates: this.#predicates }, [node])
    const streams = branches.map(({ name, where }, branch) => {
      const id = draft.add({ kind: 'branch', where, branch, label: name }, [split])
      return [name, draft.make.stream({ ...this.#step, node: id })] as const
    })
    return Object.fromEntries(streams)
  }
}
