import { job, json, string, type Topic, topic } from 'tidemark'
import type { Log } from '../../../../src/ports/log.ts'
import { type DiffReport, diffGeneration, type JobVersions } from '../../../../src/runtime/diff/diff-generation.ts'
import { EXACT } from '../../../../src/runtime/diff/tolerance.ts'
import type { Environment } from '../../../../src/runtime/environment.ts'
import type { LoadedJob } from '../../../../src/runtime/loaded-job.ts'
import { Runner } from '../../../../src/runtime/runner.ts'
import { type ReprocessReport, reprocess } from '../../../../src/runtime/switching/reprocess.ts'
import { switchGeneration } from '../../../../src/runtime/switching/switch-generation.ts'
import type { SwitchReport, SwitchRequest } from '../../../../src/runtime/switching/switch-request.ts'
import { readTopic } from '../../../../src/testing/topic-records.ts'
import { IN } from '../../runtime/support/site.ts'

export const COUNTS: Topic<string, number> = topic('counts-out', { key: string(), value: json<number>() })

/** Counts by key into a table of its own. The old version counts each `b` twice, and none of the `c`. */
const counting = (file: string, times: (key: string) => number): LoadedJob => ({
  job: job('j', { sliceRecords: 2 }, ({ stream }) => {
    stream(IN)
      .groupByKey()
      .aggregate('counts', { init: () => 0, add: (count, _, key) => count + times(key), serde: json<number>() })
      .filter((count) => count > 0)
      .to(COUNTS, { owner: true })
  }),
  path: file,
  hash: file,
})

export const OLD: LoadedJob = counting('old.ts', (key) => (key === 'b' ? 2 : key === 'c' ? 0 : 1))
export const FIXED: LoadedJob = counting('fixed.ts', (key) => (key === 'd' ? 0 : 1))

const SWITCH: SwitchRequest = {
  generation: 'g2',
  how: 'switch',
  maxCatchUp: 1000,
  maxDifferent: null,
  tolerance: EXACT,
  noCorrections: [],
  keep: 1,
}

/** Runs a version of the job to the end of its input. */
export async function run(env: Environment, loaded: LoadedJob): Promise<void> {
  await new Runner(env).run(loaded, { trigger: 'test' })
}

export function remake(env: Environment, loaded = FIXED, as = 'g2'): Promise<ReprocessReport> {
  return reprocess(env, loaded, { as, cuts: 'kept', replace: false })
}

export function compare(env: Environment, generation = 'g2', jobs = { live: OLD, other: FIXED }): Promise<DiffReport> {
  return diffGeneration(env, jobs, { generation, tolerance: EXACT, samples: 10 })
}

export function turn(
  env: Environment,
  request: Partial<SwitchRequest> = {},
  jobs: JobVersions = { live: OLD, other: FIXED },
): Promise<SwitchReport> {
  return switchGeneration(env, jobs, { ...SWITCH, ...request })
}

export function turnBack(
  env: Environment,
  request: Partial<SwitchRequest> = {},
  jobs: JobVersions = { live: FIXED, other: OLD },
): Promise<SwitchReport> {
  const asked = { ...SWITCH, generation: 'g1', how: 'rollback' as const, ...request }
  return switchGeneration(env, jobs, asked)
}

/** All that was published to the table, as `key=value`, in order. */
export async function published(log: Log): Promise<readonly string[]> {
  return (await readTopic(log, COUNTS, new Map())).map(({ key, value }) => `${key}=${value}`)
}

/** The table as a reader has it who has read everything. */
export async function tableOf(log: Log): Promise<Readonly<Record<string, number>>> {
  const rows = new Map<string, number>()
  for (const { key, value } of await readTopic(log, COUNTS, new Map())) {
    if (value === null) rows.delete(String(key))
    else rows.set(String(key), Number(value))
  }
  return Object.fromEntries([...rows].sort())
}
