import { unreachable } from '../../core/errors.ts'
import type { SlotCause, SlotRow } from '../../ports/schedule-table.ts'
import { whyItFailed } from '../../scheduler/hook-document.ts'
import type { ScheduleEvent } from '../../scheduler/schedule-event.ts'
import { runIdOf } from '../../scheduler/slot-book.ts'
import { countOf, secondInWords } from './words.ts'

/** What a scheduler tells, as lines for people; none for what the next line says anyway. */
export function scheduleEventInWords(event: ScheduleEvent): readonly string[] {
  const { job } = event
  switch (event.kind) {
    case 'ready':
      return [`${job}: ${event.next === null ? 'no slot comes any more' : `next slot ${secondInWords(event.next)}`}`]
    case 'slots':
      return slotsInWords(event.slots).map((line) => `${job}: ${line}`)
    case 'started': {
      const { order, attempt } = event
      const until = order.until === null ? '' : ` until ${secondInWords(order.until)}`
      return [`${job}: run started (${order.trigger})${until}${attempt > 1 ? `, attempt ${attempt}` : ''}`]
    }
    case 'ended':
      return [`${job}: ${endInWords(event)}`]
    case 'paused':
      return [`${job}: paused: ${event.reason}; 'tidemark resume ${job}' ends the pause`]
    case 'hook-failed':
      return [`${job}: ${event.error.message}`]
    case 'trouble': {
      const { message, hint = '' } = event.error
      const next = event.againAt === null ? hint : `tried again at ${secondInWords(event.againAt)}`
      return [`${job}: ${message}${next === '' ? '' : `; ${next}`}`]
    }
    case 'clock-behind':
      return [
        `${job}: the clock is behind; slots before ${secondInWords(event.decidedTo)} were decided on and do not come again. ` +
          `If that clock was wrong: 'tidemark resume ${job}', and start the scheduler again`,
      ]
    default:
      return unreachable(event, 'this event')
  }
}

const CAME: Readonly<Record<SlotCause, string>> = {
  scheduled: 'came',
  missed: 'missed',
  overlap: 'came while a run was under way',
  paused: 'came in a pause',
}

function slotsInWords(slots: readonly SlotRow[]): readonly string[] {
  const lines: string[] = []
  for (const cause of ['missed', 'overlap', 'paused'] as const) {
    const rows = slots.filter((row) => row.cause === cause)
    const [first] = rows
    const last = rows.at(-1)
    if (first === undefined || last === undefined) continue
    const count = rows.reduce((sum, row) => sum + row.count, 0)
    const from = count === 1 ? '' : `${secondInWords(first.first)} to `
    const follows = rows.some(({ state }) => state === 'due')
      ? 'one run follows'
      : `the next run covers ${count === 1 ? 'it' : 'them'}`
    lines.push(`${countOf(count, 'slot')} ${CAME[cause]} (${from}${secondInWords(last.slot)}); ${follows}`)
  }
  return lines
}

function endInWords({ verdict, ended, againAt }: Extract<ScheduleEvent, { kind: 'ended' }>): string {
  const { report } = ended.end
  const run = `run ${runIdOf(report)?.slice(0, 8) ?? ''}`.trim()
  if (againAt !== null) return `${run} failed: ${whyItFailed(ended)}; tried again at ${secondInWords(againAt)}`
  switch (verdict) {
    case 'done': {
      const records = typeof report?.records === 'number' ? `, ${countOf(report.records, 'record')} read` : ''
      return `${run} done${records}`
    }
    case 'stopped':
      return `${run} stopped; the next one goes on from there`
    case 'busy':
      return `not run: ${whyItFailed(ended)}`
    default:
      return `${run} failed: ${whyItFailed(ended)}`
  }
}
