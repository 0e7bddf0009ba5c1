import { type Checkpoint, decodeCheckpoint } from '../core/checkpoint.ts'
import type { Environment } from './environment.ts'

/** The live generation's name and checkpoint as committed here, read without a lock; undefined before the first run. */
export function liveCheckpoint(
  env: Pick<Environment, 'state'>,
  job: string,
): { readonly generation: string; readonly checkpoint: Checkpoint | null } | undefined {
  if (!env.state.jobs().includes(job)) return undefined
  const jobFile = env.state.jobFile(job)
  try {
    const live = jobFile.generations().find(({ role }) => role === 'live')
    if (live === undefined) return undefined
    const file = env.state.open(job, live.name, { create: false, readonly: true })
    try {
      const stored = file?.checkpoint()
      return { generation: live.name, checkpoint: stored === undefined ? null : decodeCheckpoint(stored.bytes) }
    } finally {
      file?.close()
    }
  } finally {
    jobFile.close()
  }
}
