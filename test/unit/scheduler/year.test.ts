import { type JobOptions, job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { Chance } from '../../e2e/crash/chance.ts'
import { type NaiveFields, naiveSlots } from './naive-slots.ts'
import { copies, events, type Fate, YearMachine } from './support/year-machine.ts'
import { yearModel } from './support/year-model.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const BEGIN = Date.parse('2025-01-01T00:30Z')
const END = BEGIN + 365 * DAY

const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** When the machine is up, and how far a run has come that its end cuts off. */
function upTimes(chance: Chance): readonly { readonly from: number; readonly to: number; readonly fate: Fate }[] {
  const up: { from: number; to: number; fate: Fate }[] = []
  for (let from = BEGIN; from < END; ) {
    const to = Math.min(END, from + chance.from(4, 30 * 24) * HOUR + chance.from(0, 59) * MINUTE)
    up.push({ from, to, fate: (['not begun', 'half', 'whole'] as const)[chance.from(0, 2)] ?? 'whole' })
    from = to + (chance.next() < 0.3 ? chance.from(1, 10) * MINUTE : chance.from(1, 90) * HOUR)
  }
  return up
}

const ANY = { text: '*', values: Array.from({ length: 32 }, (_, value) => value) }

function daily(minute: number, hour: string, hours: readonly number[]): NaiveFields {
  return {
    minute: { text: String(minute), values: [minute] },
    hour: { text: hour, values: hours },
    day: ANY,
    month: ANY,
    weekday: ANY,
  }
}

const CASES: readonly (readonly [what: string, JobOptions, NaiveFields])[] = [
  [
    'an interval, overlaps skipped',
    { schedule: '0 */6 * * *', timezone: 'Europe/Berlin' },
    daily(0, '*/6', [0, 6, 12, 18]),
  ],
  [
    'times of day that are left out and doubled, overlaps queued',
    { schedule: '30 2,8,14,20 * * *', timezone: 'Europe/Berlin', overlap: 'queue' },
    daily(30, '2,8,14,20', [2, 8, 14, 20]),
  ],
  [
    'runs until their slot',
    { schedule: '0 */6 * * *', timezone: 'America/New_York', until: 'slot', settle: '5m', advanceTime: true },
    daily(0, '*/6', [0, 6, 12, 18]),
  ],
]

describe('a year of a six-hourly schedule, with downtimes, crashes and overlaps', () => {
  it.each(CASES)(
    '%s: every slot accounted for, every record once',
    { timeout: 240_000 },
    async (_, options, fields) => {
      process.stdout.write(`TIDEMARK_SEED=${seed}\n`)
      const chance = new Chance(seed)
      const up = upTimes(chance)
      // Minutes and a second, but for some that end in the very instant of a slot.
      const durations = Array.from({ length: 3000 }, () => {
        if (chance.next() < 0.03) return chance.from(1, 2) * 6 * HOUR
        return (chance.next() < 0.08 ? chance.from(5 * 60, 20 * 60) : chance.from(1, 40)) * MINUTE + SECOND
      })
      const takes = (run: number) => durations[run] ?? MINUTE
      const records = Array.from(
        { length: 365 * 6 },
        (_, index) => BEGIN + index * 4 * HOUR + chance.from(0, 3 * 60) * MINUTE,
      )
      // Few records a slice, so that a run of one slot can die between two.
      const year = job('year', { ...options, sliceRecords: 1 }, ({ stream }) => stream(events).to(copies))
      const machine = new YearMachine(year, BEGIN, takes, records)
      await machine.begin()
      for (const { from, to, fate } of up) {
        machine.machine.clock.set(from)
        await machine.upUntil(to, fate)
      }

      const rows = [...machine.machine.state.jobFile('year').schedule.slots()].reverse()
      const expected = yearModel({
        slots: naiveSlots(fields, options.timezone ?? 'UTC', BEGIN, END, 30 * MINUTE),
        up: up.map(({ from, to }) => [from, to]),
        settle: year.settings.settleMs,
        queue: options.overlap === 'queue',
        untilSlot: options.until === 'slot',
        takes,
        slotFirst: (slot) => rows.find((row) => row.slot === slot)?.cause === 'overlap',
        leftUnfinished: (run) => machine.unfinished[run] === true,
      })
      expect(expected.ties).toBeGreaterThan(0)
      expect(machine.launched).toEqual(expected.runs)
      const shown = rows.map(({ slot, cause, state, runId }) => ({
        slot,
        cause,
        run: state === 'covered' ? (machine.launchOf.get(runId ?? '') ?? 'unknown') : null,
      }))
      expect(shown).toEqual(expected.slots)
      for (const cause of ['scheduled', 'missed', 'overlap'])
        expect(shown.some((row) => row.cause === cause)).toBe(true)

      const results = await machine.results()
      expect(results).toEqual(results.map((_, index) => index))
      const lastRun = machine.launched.findLast((_, run) => machine.unfinished[run] === undefined)
      const covered = records.filter((time) =>
        lastRun?.until == null ? time <= (lastRun?.at ?? 0) : time < lastRun.until,
      )
      expect(results.length).toBeGreaterThanOrEqual(covered.length)
      expect(covered.length).toBeGreaterThan(1500)
    },
  )
})
