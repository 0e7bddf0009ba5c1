import { openEnvironment } from '../../compose.ts'
import { jobStatus } from '../../runtime/job-status.ts'
import { command } from '../command.ts'
import { nextSlotOf, statusInWords, statusNotices } from '../output/status-words.ts'

export const status = command(
  (yargs) => yargs,
  async (args, io) => {
    const env = await openEnvironment(args)
    try {
      const found = await Promise.all(env.state.jobs().map((job) => jobStatus(env, job)))
      const jobs = found.map((each) => ({ ...each, nextSlot: nextSlotOf(each, io.now()) }))
      io.result({ jobs }, () => {
        if (jobs.length === 0) return `no job has run here yet (state directory ${args.stateDir})`
        return statusInWords(jobs)
      })
      for (const notice of jobs.flatMap(statusNotices)) io.notice(`${notice}\n`)
    } finally {
      await env.log.close()
    }
    return undefined
  },
)
