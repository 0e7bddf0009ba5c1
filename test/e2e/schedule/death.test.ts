import { once } from 'node:events'
import { expect, it } from 'vitest'
import { TICKING, Ticking } from '../../regression/support/ticking.ts'
import { expectVerified } from '../helpers/expect-verified.ts'

const ALL = ['a', 'wait', 'b', 'c']

/** A scheduler whose run stands still at its second record. */
async function halfway() {
  const ticking = new Ticking()
  await ticking.fill(...ALL)
  const scheduler = ticking.start()
  await ticking.binary.appears('working')
  return { ticking, scheduler }
}

async function expectNextToFinish(ticking: Ticking): Promise<void> {
  const next = ticking.start()
  await next.said(/run \w+ done/)
  next.child.kill('SIGTERM')
  expect((await next.ended).status).toBe(143)
  expect(await ticking.copied()).toEqual(ALL)
  expect(ticking.slots()[0]).toMatchObject({ state: 'covered' })
  await expectVerified(ticking.binary, TICKING)
}

it.each(['SIGKILL', 'SIGABRT'] as const)(
  'a run whose scheduler dies of %s stops behind its slice',
  {
    timeout: 90_000,
  },
  async (signal) => {
    const { ticking, scheduler } = await halfway()
    const dead = once(scheduler.child, 'exit')
    scheduler.child.kill(signal)
    await dead
    ticking.binary.write('go', '')
    // Its run has inherited stderr: that is closed when both are gone.
    expect((await scheduler.ended).status).toBeNull()
    expect(await ticking.copied()).toEqual(['a', 'wait'])
    expect(ticking.runs()).toMatchObject([
      { status: 'interrupted', trigger: 'schedule', error: { code: 'TERMINATED' } },
    ])
    await expectNextToFinish(ticking)
  },
)

it('a scheduler that is asked to end waits for its run, which stops behind its slice', {
  timeout: 90_000,
}, async () => {
  const { ticking, scheduler } = await halfway()
  scheduler.child.kill('SIGTERM')
  await scheduler.said(/stopping/)
  expect((await ticking.binary.run(['run', TICKING])).status).toBe(75)
  ticking.binary.write('go', '')
  expect(await scheduler.ended).toMatchObject({ status: 143, stderr: expect.stringContaining('stopped; the next one') })
  expect(await ticking.copied()).toEqual(['a', 'wait'])
  await expectNextToFinish(ticking)
})

it('a run that dies is tried again', { timeout: 90_000 }, async () => {
  const { ticking, scheduler } = await halfway()
  const holder = await ticking.binary.run(['run', TICKING])
  const pid = Number(/process (\d+) on/.exec(holder.stderr)?.[1])
  ticking.binary.write('go', '')
  process.kill(pid, 'SIGKILL')
  await scheduler.said(/(failed: killed by SIGKILL; tried again|run \w+ done)/)
  await scheduler.said(/run \w+ done/)
  scheduler.child.kill('SIGTERM')
  await scheduler.ended
  expect(await ticking.copied()).toEqual(ALL)
  await expectVerified(ticking.binary, TICKING)
})
