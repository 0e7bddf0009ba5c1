import { expect } from 'vitest'
import type { Environment } from '../../../src/runtime/environment.ts'
import { verifyJob } from '../../../src/runtime/history/verify-job.ts'
import type { Job } from '../../../src/topology/job.ts'

/** Replays all that a job has done: every run reads and makes the same again. `least` says how many runs there are. */
export async function expectVerified(env: Environment, job: Job, least = 1, generation = 'g1'): Promise<void> {
  const { runs } = await verifyJob(env, { job, path: `${job.name}.ts`, hash: 'hash' }, { generation })
  expect(runs.filter(({ verdict }) => verdict !== 'same')).toEqual([])
  expect(runs.length).toBeGreaterThanOrEqual(least)
}
