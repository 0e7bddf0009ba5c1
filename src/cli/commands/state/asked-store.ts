import { TidemarkError } from '../../../core/errors.ts'
import { innerSerde } from '../../../serde/windowed/windowed-serde.ts'
import type { Job } from '../../../topology/job.ts'
import { storesOf } from '../../../topology/stores-of.ts'
import type { AskedStore } from './store-queries.ts'

/** The store as its keys are typed. Subscriptions can be asked for by their foreign key alone. Throws USAGE where there is none. */
export function askedStore(job: Job, name: string): AskedStore {
  for (const node of job.topology.nodes) {
    const store = storesOf(node).find((each) => each.name === name)
    if (store === undefined) continue
    const timed = store.shape !== undefined && store.shape !== 'key-value'
    const inner = timed && node.kind !== 'suppress' ? undefined : innerSerde(store.key)
    if (inner !== undefined) return { key: inner, timed: true }
    return { key: node.kind === 'foreign-key-lookup' ? node.key : store.key, timed }
  }
  const names = job.topology.nodes.flatMap((node) => storesOf(node).map((store) => store.name))
  throw new TidemarkError('USAGE', `job ${job.name} has no store ${name}`, {
    hint: names.length === 0 ? 'It keeps none.' : `Its stores are: ${names.join(', ')}.`,
  })
}
