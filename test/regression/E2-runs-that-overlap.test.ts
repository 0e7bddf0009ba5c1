import { expect, it } from 'vitest'
import { TICKING, Ticking } from './support/ticking.ts'

it('runs of a job never overlap, whoever starts them; slots that come meanwhile are noted', {
  timeout: 90_000,
}, async () => {
  const ticking = new Ticking()
  await ticking.fill('a', 'wait', 'b')
  const scheduler = ticking.start()
  await ticking.binary.appears('working')
  await scheduler.said(/came while a run was under way/, 3)
  await ticking.write('c')
  const outside = await Promise.all([1, 2].map(() => ticking.binary.run(['run', TICKING])))
  for (const { status, stderr } of outside) {
    expect({ status, stderr }).toEqual({ status: 75, stderr: expect.stringContaining('LOCKED') })
  }
  expect(await ticking.copied()).toEqual(['a'])

  const skipped = ticking.slots().filter(({ cause }) => cause === 'overlap')
  expect(skipped.length).toBeGreaterThanOrEqual(3)
  for (const { state, runId } of skipped) expect({ state, runId }).toEqual({ state: 'skipped', runId: null })

  ticking.binary.write('go', '')
  await scheduler.said(/run \w+ done/, 2)
  scheduler.child.kill('SIGTERM')
  expect((await scheduler.ended).status).toBe(143)
  expect(await ticking.copied()).toEqual(['a', 'wait', 'b', 'c'])
  const runs = ticking.runs()
  const second = runs[1]?.runId
  const covered = ticking.slots().filter(({ slot }) => skipped.some((each) => each.slot === slot))
  expect(covered.map(({ state, runId }) => `${state} ${runId}`)).toEqual(skipped.map(() => `covered ${second}`))
  for (const [index, run] of runs.slice(1).entries()) {
    expect(run.startedAt).toBeGreaterThanOrEqual(runs[index]?.finishedAt ?? Number.POSITIVE_INFINITY)
  }
})
