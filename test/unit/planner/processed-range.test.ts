import { expect, it } from 'vitest'
import { processedRanges } from '../../../src/planner/processed-range.ts'
import type { RunRow } from '../../../src/ports/history.ts'
import { planWith } from './plans.ts'
import { thrown } from './thrown.ts'

function runRow(runId: string, changes: Partial<RunRow>): RunRow {
  const plan = planWith()
  return {
    runId,
    job: plan.job,
    generation: plan.generation,
    trigger: 'cli',
    attempt: 1,
    status: 'done',
    startedAt: 0,
    finishedAt: null,
    durationMs: null,
    jobHash: '',
    planHash: plan.hash,
    plan: JSON.stringify(plan),
    slices: 1,
    records: 3,
    partitions: [],
    steps: {},
    heldBack: 0,
    streamTime: null,
    streamTimeBy: null,
    movedRows: 0,
    notices: [],
    stores: [],
    error: null,
    ...changes,
  }
}

it('what runs have processed is what they have committed, of the topic that they read', () => {
  const read = { topic: 'flights', partition: 0, from: 5, to: 7, records: 2 }
  const idle = { topic: 'airlines', partition: 0, from: 16, to: 16, records: 0 }
  const rows = [
    runRow('a', { partitions: [read, idle], status: 'crashed' }),
    runRow('b', { partitions: [idle] }),
    runRow('no plan could be made', { plan: '', status: 'failed' }),
  ]
  expect(processedRanges(rows)).toEqual([{ topic: 'flights', partition: 0, from: 5, to: 7, runId: 'a', topicId: 'f' }])
})

it('a run with a damaged plan is not passed over', async () => {
  const row = runRow('a', { partitions: [{ topic: 'flights', partition: 0, from: 5, to: 7, records: 2 }], plan: '{' })
  expect((await thrown(() => processedRanges([row]))).code).toBe('STATE_DAMAGED')
})
