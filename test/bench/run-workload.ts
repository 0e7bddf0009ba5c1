import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ProcessFigures, tidemark } from './process-figures.ts'
import { appendWorkload, type Workload } from './workload-log.ts'

/** Counts by key, means of five minutes, sums over a join. */
export const WORKLOADS = { w1: 'count by key', w2: 'five-minute means', w3: 'join and sum' } as const

export interface WorkloadRuns {
  readonly first: ProcessFigures
  /** Over 10,000 records more. */
  readonly incremental: ProcessFigures
}

const MORE = 10_000

/** Runs a workload over an embedded log that is made for it, and then over a little more. */
export async function runWorkload(
  folder: string,
  name: keyof typeof WORKLOADS,
  workload: Workload,
  env: Readonly<Record<string, string>> = {},
): Promise<WorkloadRuns> {
  mkdirSync(join(folder, '.tidemark'), { recursive: true })
  const log = join(folder, '.tidemark', 'log.db')
  const job = fileURLToPath(new URL(`./peers/jobs/${name}.ts`, import.meta.url))
  const run = () => tidemark(folder, ['run', job], { OUT_TOPIC: 'out', ...env })
  await appendWorkload(log, workload)
  const first = await run()
  await appendWorkload(log, { ...workload, records: MORE, skip: workload.records })
  return { first, incremental: await run() }
}
