import { TidemarkError } from '../core/errors.ts'
import type { StateDirectory, StateFile } from '../ports/state-file.ts'

/** Opens a generation to read: the one that is named, or the live one. Throws USAGE where there is none. */
export function openGeneration(state: StateDirectory, job: string, generation: string | undefined): StateFile {
  if (state.jobs().includes(job)) {
    const name = generation ?? liveName(state, job)
    const file = name === undefined ? undefined : state.open(job, name, { create: false, readonly: true })
    if (file !== undefined) return file
  }
  throw new TidemarkError(
    'USAGE',
    `job ${job} has no ${generation === undefined ? 'live generation' : `generation ${generation}`} here`,
    {
      hint: "Run the job first, or say where its state is with --state-dir. 'tidemark status' lists what is here.",
    },
  )
}

function liveName(state: StateDirectory, job: string): string | undefined {
  const jobFile = state.jobFile(job)
  try {
    return jobFile.generations().find(({ role }) => role === 'live')?.name
  } finally {
    jobFile.close()
  }
}
