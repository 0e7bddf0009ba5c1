import { TidemarkError } from '../core/errors.ts'
import type { StateDirectory, StateFile } from '../ports/state-file.ts'
import { liveName } from '../runtime/live-name.ts'

/** Opens a generation to read: the one that is named, or the live one. Throws USAGE where there is none. */
export function openGeneration(state: StateDirectory, job: string, generation: string | undefined): StateFile {
  const name = state.jobs().includes(job) ? (generation ?? liveName(state, job)) : undefined
  const file = name === undefined ? undefined : state.open(job, name, { create: false, readonly: true })
  if (file !== undefined) return file
  throw new TidemarkError(
    'USAGE',
    `job ${job} has no ${generation === undefined ? 'live generation' : `generation ${generation}`} here`,
    {
      hint: "Run the job first, or say where its state is with --state-dir. 'tidemark status' lists what is here.",
    },
  )
}
