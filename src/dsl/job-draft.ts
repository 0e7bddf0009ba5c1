import type { DraftNode, NodeSettings } from '../topology/draft.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { KGroupedTable } from './kgrouped-table.ts'
import type { KStream } from './kstream.ts'
import type { SerdeKnown } from './serde-known.ts'
import type { Step } from './step.ts'

/** What makes the objects that would otherwise have to import each other in a circle. */
export interface SurfaceMakers {
  stream<K, V, Key extends SerdeKnown, Value extends SerdeKnown>(step: Step): KStream<K, V, Key, Value>
  groupedTable<K, V>(step: Step): KGroupedTable<K, V>
}

/** The nodes of one job while its build function runs. */
export class JobDraft {
  readonly make: SurfaceMakers
  readonly #nodes: DraftNode[] = []
  #closed = false

  constructor(make: SurfaceMakers) {
    this.make = make
  }

  /** The nodes so far, in the order of the user's calls. */
  get nodes(): readonly DraftNode[] {
    return this.#nodes
  }

  /** Adds a node, and gives its id. Throws JOB_INVALID when the build function has ended. */
  add(settings: NodeSettings, parents: readonly number[], given: string | null = null): number {
    if (this.#closed) {
      throw invalidJob(
        settings.where,
        'the job is already built',
        'Call the methods of streams and tables inside the build function, and not in what it starts.',
      )
    }
    const id = this.#nodes.length
    this.#nodes.push({ id, given, parents, settings })
    return id
  }

  close(): void {
    this.#closed = true
  }
}
