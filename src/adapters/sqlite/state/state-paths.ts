import { join, resolve } from 'node:path'
import { parseLockName } from '../../state-rules/lock-name.ts'
import { assertStateName } from '../../state-rules/state-name.ts'

/** Where everything is under a state directory. Names that could not be files are refused with USAGE. */
export class StatePaths {
  readonly root: string

  constructor(root: string) {
    this.root = resolve(root)
  }

  job(job: string): string {
    assertStateName('job', job)
    return join(this.root, job)
  }

  jobFile(job: string): string {
    return join(this.job(job), 'job.db')
  }

  generation(job: string, generation: string): string {
    assertStateName('generation', generation)
    return join(this.job(job), `${generation}.db`)
  }

  /** `job` or `job/generation`. */
  lock(name: string): string {
    const { job, generation } = parseLockName(name)
    return generation === undefined ? `${this.job(job)}.lock` : join(this.job(job), `${generation}.lock`)
  }
}
