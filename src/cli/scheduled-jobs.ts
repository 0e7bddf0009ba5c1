import { checkSchedule, jobsIn } from '../compose.ts'
import { TidemarkError } from '../core/errors.ts'
import type { LoadedJob } from '../runtime/loaded-job.ts'
import type { ScheduledJob } from '../scheduler/scheduled-job.ts'
import { asFailure } from './failure.ts'
import { liveJobFile, loadJobOf } from './load-job-of.ts'

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
  const broken: { command: string; error: TidemarkError }[] = []
  const files: JobFile[] = []
  const guarded = async (command: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (thrown) {
      broken.push({ command, error: asFailure(thrown) })
    }
  }
  for (const command of all ? await jobsIn(folder) : [...new Set(names)]) {
    await guarded(command, async () => {
      const loaded = await loadJobOf({ job: command, jobs: folder, stateDir })
      const { name } = loaded.job
      files.push({ command, loaded, isLive: loaded.path === (await liveJobFile(stateDir, name)) })
    })
  }
  for (const file of oneEach(files)) {
    const { command, loaded } = file
    if (loaded.job.settings.schedule === null && all) continue
    await guarded(command, async () => {
      const found = asScheduled(loaded, command, now)
      await checkSchedule(found.settings.schedule ?? '')
      refuseTwice(files, file)
      jobs.push(found)
    })
  }
  return { jobs, broken }
}

interface JobFile {
  readonly command: string
  readonly loaded: LoadedJob
  /** The live generation was run with it. */
  readonly isLive: boolean
}

/** Old and new versions of a job may lie side by side: several names then stand for the file of the live one. */
function oneEach(files: readonly JobFile[]): readonly JobFile[] {
  return files.filter(({ loaded }, at) => files.findIndex((other) => other.loaded.path === loaded.path) === at)
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

/** Of files with one job the one that is live is meant, else the first. */
function refuseTwice(files: readonly JobFile[], file: JobFile): void {
  const same = oneEach(files).filter(({ loaded }) => loaded.job.name === file.loaded.job.name)
  const meant = same.find(({ isLive }) => isLive) ?? same[0]
  if (meant === undefined || meant === file) return
  const { command, loaded } = file
  throw new TidemarkError('JOB_INVALID', `${meant.command} and ${command} are both called ${loaded.job.name}`, {
    hint: 'Jobs of one name share their state. Give one of them another name.',
  })
}
