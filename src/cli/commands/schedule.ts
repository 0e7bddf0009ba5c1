import { availableParallelism } from 'node:os'
import { openSchedules } from '../../compose.ts'
import { EXIT } from '../../core/error-codes.ts'
import { isTidemarkError, TidemarkError } from '../../core/errors.ts'
import type { LaneOutcome } from '../../scheduler/lane-outcome.ts'
import { runScheduler } from '../../scheduler/run-scheduler.ts'
import { command } from '../command.ts'
import { failureInWords } from '../failure.ts'
import { scheduleEventInWords } from '../output/schedule-words.ts'
import { table } from '../output/table.ts'
import { isoTime, secondInWords } from '../output/words.ts'
import { type ScheduledJobs, scheduledJobs } from '../scheduled-jobs.ts'

export const schedule = command(
  (yargs) =>
    yargs
      .positional('job', {
        type: 'string',
        array: true,
        default: [] as string[],
        describe: 'names in the jobs folder, or files; default: all of the folder that have a schedule',
      })
      .option('jobs', {
        type: 'string',
        default: process.env.TIDEMARK_JOBS || 'jobs',
        defaultDescription: 'TIDEMARK_JOBS, or jobs',
        describe: 'the folder that job names are looked up in',
      })
      .option('once', { type: 'boolean', default: false, describe: 'run what is due and exit' })
      .option('now', { type: 'boolean', default: false, describe: 'run the jobs now, due or not, and exit' })
      .option('max-runs', {
        type: 'number',
        default: availableParallelism(),
        defaultDescription: 'one a processor',
        describe: 'how many runs at once',
      }),
  async (args, io) => {
    const { maxRuns, now } = args
    const once = args.once || now
    if (!Number.isInteger(maxRuns) || maxRuns < 1) {
      throw new TidemarkError('USAGE', `--max-runs cannot be ${maxRuns}`, { hint: 'Give a whole number from 1 on.' })
    }
    const found = await scheduledJobs({ names: args.job, jobs: args.jobs, stateDir: args.stateDir, now })
    // Where no job is left, the first of their errors is the command's own.
    const told = found.jobs.length > 0 ? found.broken : found.broken.slice(1)
    for (const { error } of told) io.notice(failureInWords(error, { colors: false, debug: false }))
    refuseNone(found, args.jobs)
    const env = await openSchedules(args, thisProgram())
    const stop = io.stopSignal()
    const say = (line: string) => io.notice(`${secondInWords(io.now())} ${line}`)
    stop.addEventListener('abort', () => say('stopping: runs end behind the slice that they are at'), { once: true })
    const outcomes = await runScheduler(env, found.jobs, {
      once,
      now,
      maxRuns,
      stop,
      tell: (event) => {
        for (const line of scheduleEventInWords(event)) say(line)
      },
    })
    const broken = found.broken.map(({ command, error }) => ({ job: command, error }))
    io.result({ jobs: [...outcomes.map(shown), ...broken] }, () => outcomesInWords(outcomes))
    if (stop.aborted) return isTidemarkError(stop.reason) ? stop.reason.exit : EXIT.terminated
    return outcomes.find(({ status }) => status !== EXIT.ok)?.status ?? found.broken[0]?.error.exit
  },
)

/** How this program is called, for the runs: node, its options, the binary. */
function thisProgram(): readonly [string, ...string[]] {
  const [, binary = ''] = process.argv
  return [process.execPath, ...process.execArgv, binary]
}

function refuseNone({ jobs, broken }: ScheduledJobs, folder: string): void {
  if (jobs.length > 0) return
  const [first] = broken
  if (first !== undefined) throw first.error
  throw new TidemarkError('CONFIG_INVALID', `no job in ${folder} has a schedule`, {
    hint: "Give one, as in job('name', { schedule: '0 */6 * * *' }, …), or say where jobs are with --jobs.",
  })
}

function shown({ next, ...outcome }: LaneOutcome) {
  return { ...outcome, next: next === null ? null : isoTime(next) }
}

function outcomesInWords(outcomes: readonly LaneOutcome[]): string {
  return table(
    [
      { title: 'job' },
      { title: 'runs', align: 'right' },
      { title: 'failed', align: 'right' },
      { title: 'next slot' },
      { title: 'error', idle: '-' },
    ],
    outcomes.map(({ job, done, failed, next, error }) => [
      job,
      String(done + failed),
      String(failed),
      next === null ? '-' : secondInWords(next),
      error?.code ?? '-',
    ]),
  )
}
