import type { SlotRow } from '../../ports/schedule-table.ts'
import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { limitOption } from '../limit-option.ts'
import { table } from '../output/table.ts'
import { isoTime, secondInWords } from '../output/words.ts'
import { withSchedule } from '../with-schedule.ts'

export const slots = command(
  (yargs) => jobOptions(yargs).option('limit', { type: 'number', default: 20, describe: 'how many, newest first' }),
  async (args, io) => {
    const limit = limitOption(args.limit)
    const { job, state, rows } = await withSchedule(args, (schedule, job) => ({
      job,
      state: schedule.read(),
      rows: schedule.slots(limit),
    }))
    const { timetable, failures, pause } = state
    const document = {
      job,
      schedule: timetable?.expression ?? null,
      timezone: timetable?.timezone ?? null,
      since: timetable === null ? null : isoTime(timetable.since),
      failures,
      pause,
      slots: rows.map((row) => ({
        ...row,
        slot: isoTime(row.slot),
        first: isoTime(row.first),
        decidedAt: isoTime(row.decidedAt),
      })),
    }
    io.result(document, () => {
      const lines: string[] = []
      if (timetable === null) lines.push(`${job} has not been under a scheduler yet`)
      if (pause?.until === null) lines.push(`paused since ${secondInWords(pause.since)}: ${pause.reason}`)
      if (rows.length > 0) lines.push(slotTable(rows))
      else if (timetable !== null) lines.push(`no slot has come since ${secondInWords(timetable.since)}`)
      return lines.join('\n\n')
    })
    return undefined
  },
)

function slotTable(rows: readonly SlotRow[]): string {
  return table(
    [
      { title: 'slot' },
      { title: 'slots', align: 'right', idle: '1' },
      { title: 'came' },
      { title: 'state' },
      { title: 'run', idle: '-' },
    ],
    rows.map(({ slot, count, cause, state, runId }) => [
      secondInWords(slot),
      String(count),
      cause,
      state,
      runId?.slice(0, 8) ?? '-',
    ]),
  )
}
