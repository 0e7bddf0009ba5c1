import { counted } from '../../core/counted.ts'
import { TidemarkError } from '../../core/errors.ts'
import { diffFiles, type FilesDiff } from '../diff/diff-files.ts'
import { differing } from '../diff/store-diff.ts'
import type { History } from '../history/history.ts'
import { jobInputs } from '../input/job-inputs.ts'
import type { Session } from '../session.ts'
import type { SwitchRequest } from './switch-request.ts'

/** Throws SWITCH_REFUSED where a run of the live generation is in the middle of its range. */
export function requireEnded({ checkpoint, loaded }: Session): void {
  const unfinished = checkpoint?.unfinished ?? null
  if (unfinished === null) return
  throw new TidemarkError('SWITCH_REFUSED', `run ${unfinished.runId} of the live generation has not come to its end`, {
    hint: `Finish it with 'tidemark run ${loaded.job.name}', then switch.`,
    at: { job: loaded.job.name },
  })
}

/** Throws SWITCH_REFUSED where a session lacks more records of a history than the switch may replay. */
export function requireNear(session: Session, { checkpoint }: History, { maxCatchUp, how }: SwitchRequest): void {
  const { loaded, generation } = session
  const topics = new Set(jobInputs(loaded.job).map(({ topic }) => topic.name))
  let behind = 0
  for (const [key, offset] of Object.entries(checkpoint.offsets)) {
    if (!topics.has(key.slice(0, key.lastIndexOf('/')))) continue
    behind += Math.max(0, offset - (session.checkpoint?.offsets[key] ?? 0))
  }
  if (behind <= maxCatchUp) return
  const { name } = loaded.job
  throw new TidemarkError(
    'SWITCH_REFUSED',
    `${generation.name} lacks ${counted(behind, 'record')}, more than --max-catch-up ${maxCatchUp}`,
    {
      hint:
        how === 'rollback'
          ? 'No run is made while they are replayed. If the job can wait so long, allow more with --max-catch-up.'
          : `Let it catch up beside the live one first: tidemark reprocess ${name} --as ${generation.name}.`,
      at: { job: name },
    },
  )
}

/** Compares a session with the live one where the request has a gate on it. Throws SWITCH_REFUSED where it fails. */
export async function requireAlike(
  live: Session,
  other: Session,
  { maxDifferent, tolerance }: SwitchRequest,
): Promise<FilesDiff | null> {
  if (maxDifferent === null) return null
  const { clock } = live.env
  const side = ({ file, loaded }: Session) => ({ file, job: loaded.job })
  const diff = await diffFiles(side(live), side(other), { tolerance, samples: 0, clock })
  if (diff.differing <= maxDifferent) return diff
  const stores = diff.stores.filter((store) => differing(store) > 0)
  const inStores = stores.map((store) => `${store.store} ${differing(store)}`).join(', ')
  const { job } = other.loaded
  throw new TidemarkError(
    'SWITCH_REFUSED',
    `${counted(diff.differing, 'row')} differ from the live ones (${inStores}), more than --max-different ${maxDifferent}`,
    { hint: `Look at them: tidemark diff ${job.name} ${other.generation.name}.`, at: { job: job.name } },
  )
}
