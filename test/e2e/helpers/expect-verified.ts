import { expect } from 'vitest'
import type { VerifyReport } from '../../../src/runtime/history/verify-job.ts'
import type { Started } from './tidemark.ts'

/** Has the binary replay all that a job has done: every run reads and makes the same again. */
export async function expectVerified(
  place: { start(args: readonly string[]): Started },
  job: string,
  ...options: readonly string[]
): Promise<void> {
  const { status, stdout, stderr } = await place.start(['verify', job, ...options, '--json']).ended
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 })
  const { runs } = JSON.parse(stdout) as VerifyReport
  expect(runs.filter(({ verdict }) => verdict !== 'same')).toEqual([])
  expect(runs.length).toBeGreaterThan(0)
}
