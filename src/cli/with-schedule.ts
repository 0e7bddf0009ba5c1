import { openState } from '../compose.ts'
import type { ScheduleTable } from '../ports/schedule-table.ts'
import { jobName } from './job-name.ts'
import type { JobOptions } from './job-options.ts'
import { loadJobOf } from './load-job-of.ts'

/** Opens what is kept about a job's schedule, also where the job has not run yet. Throws JOB_INVALID for an unknown job. */
export async function withSchedule<T>(
  options: JobOptions,
  use: (schedule: ScheduleTable, job: string) => T,
): Promise<T> {
  const state = await openState(options)
  const named = jobName(options.job)
  const job = state.jobs().includes(named) ? named : (await loadJobOf(options)).job.name
  const file = state.jobFile(job)
  try {
    return use(file.schedule, job)
  } finally {
    file.close()
  }
}
