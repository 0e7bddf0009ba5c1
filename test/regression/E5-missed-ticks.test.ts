import { job } from 'tidemark'
import { expect, it } from 'vitest'
import { cronAlarms } from '../../src/adapters/cron/cron-alarms.ts'
import { waitUntil } from '../../src/scheduler/wait-until.ts'
import { at, iso } from '../unit/scheduler/scheduled.ts'
import { copies, events, YearMachine } from '../unit/scheduler/support/year-machine.ts'
import { Ticking } from './support/ticking.ts'

it('one run catches up for the slots of a downtime, and the next comes at its time', async () => {
  const hourly = job('hourly', { schedule: '0 * * * *' }, ({ stream }) => stream(events).to(copies))
  const records = Array.from({ length: 24 * 6 }, (_, index) => at('00:05') + index * 600_000)
  const machine = new YearMachine(hourly, at('08:30'), () => 60_000, records)
  await machine.begin()
  await machine.upUntil(at('10:30'), 'whole')
  machine.machine.clock.set(at('14:10'))
  await machine.upUntil(at('15:30'), 'whole')
  expect(machine.launched.map((run) => iso(run.at))).toEqual(['09:00', '10:00', '14:10', '15:00'])
  const rows = [...machine.machine.state.jobFile('hourly').schedule.slots()].reverse()
  expect(rows.map(({ slot, cause, runId }) => `${iso(slot)} ${cause} ${machine.launchOf.get(runId ?? '')}`)).toEqual([
    '09:00 scheduled 0',
    '10:00 scheduled 1',
    ...['11:00', '12:00', '13:00', '14:00'].map((time) => `${time} missed 2`),
    '15:00 scheduled 3',
  ])
  const come = records.filter((time) => time <= at('15:00'))
  expect(await machine.results()).toEqual(come.map((_, index) => index))
})

it('a scheduler that was stopped over ticks catches up with one run when it goes on', {
  timeout: 120_000,
}, async () => {
  const ticking = new Ticking()
  await ticking.fill('a')
  const scheduler = ticking.start({ CASE_SCHEDULE: '*/4 * * * * *' })
  const done = () => [...scheduler.words().matchAll(/run \w+ done/g)].length
  const idle = () => done() === [...scheduler.words().matchAll(/run started/g)].length
  do {
    scheduler.child.kill('SIGCONT')
    await scheduler.said(/run \w+ done/, done() + 1)
    scheduler.child.kill('SIGSTOP')
  } while (!idle())
  const before = ticking.slots()
  const last = before.at(-1)?.slot ?? 0
  await ticking.write('b')
  // Three slots come while it is stopped.
  await waitUntil(cronAlarms, last + 12_000, new AbortController().signal)
  scheduler.child.kill('SIGCONT')
  await scheduler.said(/run \w+ done/, done() + 1)
  scheduler.child.kill('SIGTERM')
  expect((await scheduler.ended).status).toBe(143)

  const after = ticking.slots().filter(({ slot }) => slot > last)
  const missed = after.filter(({ cause }) => cause === 'missed')
  expect(missed.length).toBeGreaterThanOrEqual(2)
  expect(new Set(missed.map(({ state, runId }) => `${state} ${runId}`)).size).toBe(1)
  expect(missed[0]?.state).toBe('covered')
  expect(await ticking.copied()).toEqual(['a', 'b'])
})
