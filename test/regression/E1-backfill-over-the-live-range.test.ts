import { expect, it } from 'vitest'
import { Binary, jobFile } from './support/binary.ts'
import waiting from './support/waiting-job.ts'

const JOB = jobFile('waiting-job')
const backfill = (from: number, to: number) => ['backfill', JOB, '--from', String(from), '--to', String(to), '--json']

it('a backfill over what a job has processed changes nothing of the job, nor the job of it', async () => {
  const binary = new Binary()
  const { field } = binary
  await field.topic('in')
  await field.write('in', 'p0/0 a→1', 'p0/1 a→1', 'p0/2 b→1')
  expect((await binary.run(['run', JOB])).status).toBe(0)

  const running = binary.start(backfill(0, 3), { CASE_WAIT_AT: 'b' })
  await binary.appears('working')
  await field.write('in', 'p0/3 a→1')
  expect((await binary.run(['run', JOB])).status).toBe(0)
  const live = () => [field.store(waiting, 'counts'), field.checkpoint(waiting)]
  const LIVE = [['a=3', 'b=1'], { 'in/0': 4 }]
  expect(live()).toEqual(LIVE)
  const overlapping = await binary.run(backfill(1, 4))
  expect(overlapping).toMatchObject({ status: 75, stderr: expect.stringContaining('LOCKED') })

  binary.write('go', '')
  const { status, stdout } = await running.ended
  expect(status).toBe(0)
  const { generation } = JSON.parse(stdout) as { readonly generation: string }
  const filled = () => [field.store(waiting, 'counts', generation), field.checkpoint(waiting, generation)]
  const FILLED = [['a=2', 'b=1'], { 'in/0': 3 }]
  expect(filled()).toEqual(FILLED)
  expect(live()).toEqual(LIVE)

  const again = await binary.run(backfill(0, 3))
  expect(again.status).toBe(0)
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'covered', generation, runs: [] })
  expect(filled()).toEqual(FILLED)
  expect(live()).toEqual(LIVE)
  // It publishes nothing unless it is asked to.
  expect(await field.out('out')).toEqual(['a→1 @0', 'a→2 @0', 'b→1 @0', 'a→3 @0'])
})
