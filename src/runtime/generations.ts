import { decodeCheckpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import type { CommitRecord } from '../ports/outside.ts'
import type { GenerationRow, JobFile } from '../ports/state-file.ts'
import { isScratch } from './history/scratch-name.ts'
import type { LoadedJob } from './loaded-job.ts'

/** The name of a job's first live generation. */
export const FIRST_GENERATION = 'g1'

/** The live generation, or the row of the first one, not yet written. */
export function liveGeneration(jobFile: JobFile, loaded: LoadedJob, now: number): GenerationRow {
  const live = jobFile.generations().find(({ role }) => role === 'live')
  if (live !== undefined) return { ...live, jobPath: loaded.path }
  const named = { name: FIRST_GENERATION, role: 'live', jobPath: loaded.path } as const
  return { ...named, bounds: null, published: true, createdAt: now, lastToken: null }
}

/** What `job.db` says of generations is brought to what the outside says: `name` is live, and what was live is retired. */
export function adoptLive(jobFile: JobFile, name: string, loaded: LoadedJob, now: number): void {
  const rows = jobFile.generations()
  const row = rows.find((known) => known.name === name)
  for (const known of rows) {
    if (known.role === 'live' && known.name !== name) jobFile.putGeneration({ ...known, role: 'retired' })
  }
  const unknown = { name, jobPath: loaded.path, createdAt: now, lastToken: null }
  if (row?.role === 'live') return
  jobFile.putGeneration({ ...(row ?? unknown), role: 'live', bounds: null, published: true })
}

/** Throws GENERATION_SWITCHED where the live record names another generation than `name`; `job.db` then knows it. */
export function requireNamed(
  record: CommitRecord | null,
  name: string,
  jobFile: JobFile,
  loaded: LoadedJob,
  now: number,
): void {
  if (record === null || record.checkpoint === null) return
  const { generation = name } = decodeCheckpoint(record.checkpoint)
  if (generation === name) return
  adoptLive(jobFile, generation, loaded, now)
  const { name: job } = loaded.job
  throw new TidemarkError('GENERATION_SWITCHED', `the live generation of ${job} is ${generation}, not ${name}`, {
    hint: 'It was switched meanwhile. Start again.',
  })
}

/** A range as it is asked for. */
export interface AskedRange extends Pick<GenerationRow, 'name' | 'published'> {
  readonly bounds: string
  readonly now: number
  readonly replace: boolean
}

/** The generation called as the range is, or a new row for it. Throws where that was asked for otherwise. */
export function rangeGeneration(
  jobFile: Pick<JobFile, 'generations'>,
  loaded: LoadedJob,
  range: AskedRange,
): { readonly row: GenerationRow; readonly replaces: boolean } {
  const { name, bounds, published, now, replace } = range
  if (!/^[A-Za-z0-9._-]+$/.test(name)) {
    throw new TidemarkError('USAGE', `${JSON.stringify(name)} cannot name a generation`, {
      hint: 'Use letters, digits, dot, underscore and hyphen.',
    })
  }
  if (isScratch(name)) {
    throw new TidemarkError('USAGE', `${name} cannot name a range: what is called so is thrown away`, {
      hint: 'Give the range another name with --as.',
    })
  }
  const named = { name, role: 'range', jobPath: loaded.path } as const
  const row: GenerationRow = { ...named, bounds, published, createdAt: now, lastToken: null }
  const known = jobFile.generations().find((generation) => generation.name === name)
  if (known === undefined) return { row, replaces: false }
  if (known.role !== 'range') {
    const what = { live: 'the live generation', reprocessed: 'a reprocessing', retired: 'a retired generation' }
    throw new TidemarkError('USAGE', `${name} is ${what[known.role]} of ${loaded.job.name}`, {
      hint: 'Give the range another name with --as.',
    })
  }
  if (replace) return { row, replaces: true }
  if (known.bounds === bounds && known.published === published) return { row: known, replaces: false }
  const otherwise =
    known.bounds === bounds
      ? `with${known.published ? '' : 'out'} --emit, not with${published ? '' : 'out'}`
      : `over ${known.bounds}, not ${bounds}`
  throw new TidemarkError('RANGE_COVERED_DIFFERENTLY', `${name} was run ${otherwise}`, {
    hint: 'Give the range another name with --as, or drop what is there with --replace.',
  })
}
