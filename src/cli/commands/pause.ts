import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { secondInWords } from '../output/words.ts'
import { withSchedule } from '../with-schedule.ts'

export const pause = command(
  (yargs) =>
    jobOptions(yargs).option('reason', {
      type: 'string',
      requiresArg: true,
      default: 'a person asked for it',
      describe: 'why, for those who wonder later',
    }),
  async (args, io) => {
    const { job, state } = await withSchedule(args, (schedule, job) => {
      schedule.pause(io.now(), args.reason)
      return { job, state: schedule.read().pause }
    })
    io.result({ job, pause: state }, () => {
      const since = state === null ? '' : ` since ${secondInWords(state.since)}: ${state.reason}`
      return `${job} is paused${since}\nIts slots make no runs until 'tidemark resume ${job}'; the first run after that covers them.`
    })
    return undefined
  },
)
