import { type Checkpoint, decodeCheckpoint } from '../core/checkpoint.ts'
import type { Environment } from './environment.ts'
import { liveName } from './live-name.ts'
import { readGeneration } from './read-generation.ts'

/** The live generation's name and checkpoint as committed here, read without a lock; undefined before the first run. */
export function liveCheckpoint(
  { state }: Pick<Environment, 'state'>,
  job: string,
): { readonly generation: string; readonly checkpoint: Checkpoint | null } | undefined {
  const generation = liveName(state, job)
  if (generation === undefined) return undefined
  const stored = readGeneration(state, job, generation, (file) => file?.checkpoint())
  return { generation, checkpoint: stored === undefined ? null : decodeCheckpoint(stored.bytes) }
}
