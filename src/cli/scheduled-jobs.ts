import { checkSchedule, jobsIn } from '../compose.ts'
import { TidemarkError } from '../core/errors.ts'
import type { LoadedJob } from '../runtime/loaded-job.ts'
import type { ScheduledJob } from '../scheduler/scheduled-job.ts'
import { asFailure } from './failure.ts'
import { loadJobOf } from './load-job-of.ts'

/** The jobs of a scheduler, and what is wrong with those that it cannot have. */
export interface ScheduledJobs {
  readonly jobs: readonly ScheduledJob[]
  readonly broken: readonly { readonly command: string; readonly error: TidemarkError }[]
}

interface Asked {
  /** Names or paths; none: all jobs of the folder that have a schedule. */
  readonly names: readonly string[]
  readonly jobs: string
  readonly stateDir: string
  /** Runs are made without a schedule too. */
  readonly now: boolean
}

/** Loads jobs. One that is broken keeps no other from its schedule. */
export async function scheduledJobs({ names, jobs: folder, stateDir, now }: Asked): Promise<ScheduledJobs> {
  const all = names.length === 0
  const jobs: ScheduledJob[] = []
  const paths = new Set<string>()
  const broken: { command: string; error: TidemarkError }[] = []
  for (const command of all ? await jobsIn(folder) : [...new Set(names)]) {
    try {
      const loaded = await loadJobOf({ job: command, jobs: folder, stateDir })
      const { schedule } = loaded.job.settings
      if (schedule === null && all) continue
      const found = asScheduled(loaded, command, now)
      await checkSchedule(found.settings.schedule ?? '')
      // Old and new versions of a job lie side by side: all of them stand for the one that is live.
      if (all && paths.has(loaded.path)) continue
      refuseTwice(jobs, found)
      paths.add(loaded.path)
      jobs.push(found)
    } catch (thrown) {
      broken.push({ command, error: asFailure(thrown) })
    }
  }
  return { jobs, broken }
}

function asScheduled({ job }: LoadedJob, command: string, now: boolean): ScheduledJob {
  const { name, settings } = job
  if (settings.schedule !== null) return { name, command, settings }
  throw new TidemarkError('JOB_INVALID', `${name} has no schedule`, {
    hint: now
      ? `Run it with 'tidemark run ${command}'.`
      : "Give it one, as in job('name', { schedule: '0 */6 * * *' }, …).",
  })
}

function refuseTwice(jobs: readonly ScheduledJob[], { name, command }: ScheduledJob): void {
  const other = jobs.find((job) => job.name === name)
  if (other === undefined) return
  throw new TidemarkError('JOB_INVALID', `${other.command} and ${command} are both called ${name}`, {
    hint: 'Jobs of one name share their state. Give one of them another name.',
  })
}
