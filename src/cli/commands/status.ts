import { openEnvironment } from '../../compose.ts'
import { jobStatus } from '../../runtime/job-status.ts'
import type { LiveLease } from '../../runtime/live-lease.ts'
import { command } from '../command.ts'
import { table } from '../output/table.ts'
import { countInWords, secondInWords } from '../output/words.ts'

export const status = command(
  (yargs) => yargs,
  async (args, io) => {
    const env = await openEnvironment(args)
    try {
      const jobs = await Promise.all(env.state.jobs().map((job) => jobStatus(env, job)))
      io.result({ jobs }, () => {
        if (jobs.length === 0) return `no job has run here yet (state directory ${args.stateDir})`
        return table(
          [
            { title: 'job' },
            { title: 'generation' },
            { title: 'last run' },
            { title: 'started' },
            { title: 'records', align: 'right' },
            { title: 'late', align: 'right' },
            { title: 'behind', align: 'right' },
            { title: 'other generations', idle: '-' },
          ],
          jobs.map(({ job, generation, lastRun, behind, others, problem }) => [
            job,
            generation ?? '-',
            lastRun?.status ?? (problem === null ? 'never' : '?'),
            lastRun === null ? '-' : secondInWords(lastRun.startedAt),
            lastRun === null ? '-' : countInWords(lastRun.records),
            lastRun === null ? '-' : countInWords(lastRun.late),
            behind === null ? '?' : countInWords(behind),
            others.length === 0 ? '-' : others.join(', '),
          ]),
        )
      })
      for (const { job, lease, problem } of jobs) {
        if (lease !== null) io.notice(leaseInWords(job, lease))
        if (problem !== null) io.notice(`${job}: ${problem.message}\n hint: ${problem.hint ?? 'see tidemark run'}\n`)
      }
    } finally {
      await env.log.close()
    }
    return undefined
  },
)

function leaseInWords(job: string, { instance, own, dead, until }: LiveLease): string {
  const time = secondInWords(until)
  if (dead) {
    const hint = 'Run it again: that ends at once what the dead run has begun.'
    return `${job}: its run has died, and holds back those who read what it writes until ${time} at the latest\n hint: ${hint}\n`
  }
  if (own) return `${job}: it is running`
  return `${job}: the state directory ${instance} runs it, or has died at it; nobody else can before ${time}`
}
