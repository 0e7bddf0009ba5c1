import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { secondInWords } from '../output/words.ts'
import { withSchedule } from '../with-schedule.ts'

export const resume = command(
  (yargs) => jobOptions(yargs),
  async (args, io) => {
    const { job, before, after } = await withSchedule(args, (schedule, job) => {
      const before = schedule.read()
      schedule.resume(io.now())
      return { job, before, after: schedule.read() }
    })
    const { pause } = before
    const resumed = pause !== null && pause.until === null
    const ahead = before.timetable?.decidedTo !== after.timetable?.decidedTo
    io.result({ job, resumed, pause: after.pause, forgotAhead: ahead }, () => {
      const lines = [
        resumed
          ? `${job} is resumed; it was paused since ${secondInWords(pause.since)}: ${pause.reason}`
          : `${job} is not paused`,
      ]
      if (ahead)
        lines.push('Slots that a clock had decided on ahead of this one are forgotten. Start the scheduler again.')
      return lines.join('\n')
    })
    return undefined
  },
)
