import type { StateFile } from '../../ports/state-file.ts'
import type { Job } from '../../topology/job.ts'
import { storeIdentities } from '../stores/topology-stores.ts'
import { type CompareOptions, compareStores, storeSide } from './compare-stores.ts'
import { differing, type StoreDiff } from './store-diff.ts'

/** A generation's file and the job that it is of. */
export interface DiffSide {
  readonly file: StateFile
  readonly job: Job
}

/** How two generations compare. */
export interface FilesDiff {
  readonly stores: readonly StoreDiff[]
  /** Stores that only one of them has, or that the two key otherwise: nothing to compare. */
  readonly onlyLive: readonly string[]
  readonly onlyOther: readonly string[]
  /** Rows that are missing, extra or different, in all. */
  readonly differing: number
}

/** Compares all stores of two generations that nobody writes meanwhile. */
export async function diffFiles(live: DiffSide, other: DiffSide, options: CompareOptions): Promise<FilesDiff> {
  const stores: StoreDiff[] = []
  const onlyLive: string[] = []
  const names = storeIdentities(other.job.topology).map(({ name }) => name)
  const others = new Set(names)
  for (const { name } of storeIdentities(live.job.topology)) {
    const left = storeSide(live.file, live.job, name)
    const right = others.has(name) ? storeSide(other.file, other.job, name) : undefined
    if (left === undefined || right === undefined || left.identity.shape !== right.identity.shape) {
      onlyLive.push(name)
      continue
    }
    others.delete(name)
    stores.push(await compareStores(left, right, options))
  }
  const onlyOther = names.filter((name) => others.has(name))
  return { stores, onlyLive, onlyOther, differing: stores.reduce((sum, store) => sum + differing(store), 0) }
}
