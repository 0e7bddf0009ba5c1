import { fileURLToPath } from 'node:url'
import { json, string, topic } from 'tidemark'
import { loadJob, openEnvironment, type Places } from '../../../src/compose.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import type { LoadedJob } from '../../../src/runtime/loaded-job.ts'
import { type RunReport, runReport } from '../../../src/runtime/run-report.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'

export const JOBS = fileURLToPath(new URL('../../../jobs', import.meta.url))

interface Delay {
  readonly carrier: string
  readonly from: number
  readonly mean: number
}

const delays = topic('carrier-delays', { key: string(), value: json<Delay>() })
const lateFlights = topic('late-flights', { key: string(), value: json<unknown>() })

/** What a year has come to. */
export interface YearOutcome {
  /** The last value of each carrier and hour in the result topic: `9E 1357034400000` to `Endeavor Air Inc. 12.5`. */
  readonly results: ReadonlyMap<string, string>
  /** Records of the topic of late flights. */
  readonly lateFlights: number
  /** The rows of `hourly-delay`, in the form of `results` without the name. */
  readonly store: ReadonlyMap<string, string>
}

/** Runs `carrier-delays` once to each end, each time with everything opened anew, as processes of their own would. */
export async function runToEach(places: Places, ends: readonly string[]): Promise<readonly RunReport[]> {
  const loaded = await loadJob('carrier-delays', JOBS, places.stateDir)
  const reports: RunReport[] = []
  for (const to of ends) {
    const env = await openEnvironment(places)
    try {
      const { runs } = await new Runner(env).run(loaded, { trigger: 'test', to })
      reports.push(...runs.map(runReport))
    } finally {
      await env.log.close()
    }
  }
  return reports
}

export async function yearOutcome(places: Places): Promise<YearOutcome> {
  const loaded = await loadJob('carrier-delays', JOBS, places.stateDir)
  const env = await openEnvironment(places)
  try {
    const late = await readTopic(env.log, lateFlights, new Map())
    return { results: await lastResults(env), lateFlights: late.length, store: rowsOf(env, loaded) }
  } finally {
    await env.log.close()
  }
}

async function lastResults(env: Environment): Promise<ReadonlyMap<string, string>> {
  const results = new Map<string, string>()
  for (const { key, value } of await readTopic(env.log, delays, new Map())) {
    const { carrier, from, mean } = value as Delay
    results.set(`${key} ${from}`, `${carrier} ${mean}`)
  }
  return results
}

function rowsOf(env: Environment, { job }: LoadedJob): ReadonlyMap<string, string> {
  const file = env.state.open(job.name, 'g1', { create: false, readonly: true })
  if (file === undefined) throw new Error('the job has no state')
  try {
    const entries = new StoreReader(file, job, 'hourly-delay').entries()
    return new Map([...entries].map(({ key, start, value }) => [`${key} ${start}`, String(value)]))
  } finally {
    file.close()
  }
}
