import { TidemarkError } from '../../core/errors.ts'
import type { GenerationRow, JobFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import type { LoadedJob } from '../loaded-job.ts'
import { Session } from '../session.ts'
import { isScratch, scratchName } from './scratch-name.ts'

/**
 * Does `work` with an empty generation that publishes nothing, is in no list, and is removed however the work ends. What a
 * process has left that died meanwhile is removed first. Throws LOCKED where another process is at the same.
 */
export async function withScratch<T>(
  env: Environment,
  loaded: LoadedJob,
  purpose: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { name } = loaded.job
  const generation = scratchName(purpose)
  const lock = env.locks.acquire(`${name}/${generation}`, purpose)
  try {
    env.state.remove(name, generation)
    const file = env.state.open(name, generation, { create: true })
    const jobFile = env.state.jobFile(name)
    try {
      const row: GenerationRow = {
        name: generation,
        role: 'range',
        jobPath: loaded.path,
        bounds: null,
        published: false,
        createdAt: env.clock.now(),
        lastToken: null,
      }
      const fresh = { checkpoint: null, parent: null, begunAnew: false, takeOver: false, claimed: false }
      const quiet = { ...env, print: () => {} }
      const parts = { env: quiet, loaded, generation: row, file, outside: null, lock, jobFile: unlisted(jobFile) }
      return await work(new Session({ ...parts, ...fresh }))
    } finally {
      jobFile.close()
      file.close()
      env.state.remove(name, generation)
    }
  } finally {
    lock.release()
  }
}

/** Removes what a process has left that died over a generation of this kind; not what one is at work with. */
export function sweepScratch(env: Pick<Environment, 'state' | 'locks'>, job: string): void {
  for (const generation of env.state.generations(job).filter(isScratch)) {
    try {
      const lock = env.locks.acquire(`${job}/${generation}`, 'sweep')
      try {
        env.state.remove(job, generation)
      } finally {
        lock.release()
      }
    } catch (error) {
      if (!(error instanceof TidemarkError)) throw error // in use, or not to be removed: no reason not to run
    }
  }
}

function unlisted(jobFile: JobFile): JobFile {
  return {
    instance: () => jobFile.instance(),
    generations: () => jobFile.generations(),
    putGeneration: () => {},
    removeGeneration: () => {},
    schedule: jobFile.schedule,
    close: () => {},
  }
}
