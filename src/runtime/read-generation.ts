import type { StateDirectory, StateFile } from '../ports/state-file.ts'

/** Gives `read` a generation's file, open to be read, or undefined where there is none, and closes it however that ends. */
export function readGeneration<T>(
  state: Pick<StateDirectory, 'open'>,
  job: string,
  generation: string,
  read: (file: StateFile | undefined) => T,
): T {
  const file = state.open(job, generation, { create: false, readonly: true })
  try {
    return read(file)
  } finally {
    file?.close()
  }
}
