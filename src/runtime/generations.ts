import { TidemarkError } from '../core/errors.ts'
import type { GenerationRow, JobFile } from '../ports/state-file.ts'
import type { LoadedJob } from './loaded-job.ts'

/** The name of a job's first live generation. */
const FIRST = 'g1'

/** The live generation, or the row of the first one, not yet written. */
export function liveGeneration(jobFile: JobFile, loaded: LoadedJob, now: number): GenerationRow {
  const live = jobFile.generations().find(({ role }) => role === 'live')
  return live ?? { name: FIRST, role: 'live', jobPath: loaded.path, bounds: null, createdAt: now, lastToken: null }
}

/** The generation called `name`, as asked with these bounds, or a new row for it. Throws where its bounds are others. */
export function rangeGeneration(
  jobFile: JobFile,
  loaded: LoadedJob,
  range: { readonly name: string; readonly bounds: string; readonly now: number; readonly replace: boolean },
): { readonly row: GenerationRow; readonly replaces: boolean } {
  const { name, bounds, now, replace } = range
  if (!/^[A-Za-z0-9._-]+$/.test(name)) {
    throw new TidemarkError('USAGE', `${JSON.stringify(name)} cannot name a generation`, {
      hint: 'Use letters, digits, dot, underscore and hyphen.',
    })
  }
  const row: GenerationRow = { name, role: 'range', jobPath: loaded.path, bounds, createdAt: now, lastToken: null }
  const known = jobFile.generations().find((generation) => generation.name === name)
  if (known === undefined) return { row, replaces: false }
  if (known.role === 'live') {
    throw new TidemarkError('USAGE', `${name} is the live generation of ${loaded.job.name}`, {
      hint: 'Give the range another name with --as.',
    })
  }
  if (replace) return { row, replaces: true }
  if (known.bounds === bounds) return { row: known, replaces: false }
  throw new TidemarkError('RANGE_COVERED_DIFFERENTLY', `${name} was run over ${known.bounds}, not ${bounds}`, {
    hint: 'Give the range another name with --as, or drop what is there with --replace.',
  })
}
