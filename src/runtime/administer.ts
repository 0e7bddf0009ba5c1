import { type Change, commitChange } from './commit-change.ts'
import type { Environment } from './environment.ts'
import { asTidemarkError } from './foreign-error.ts'
import { liveGeneration } from './generations.ts'
import type { LoadedJob } from './loaded-job.ts'
import { openSession } from './open-session.ts'
import type { Session } from './session.ts'
import { withSession } from './with-session.ts'

/**
 * Carries out a change of the live generation as a commit of its own: under its lock, with a token, a row in the history
 * and a commit record outside. `make` sees the session once it agrees with the outside; null changes nothing.
 */
export async function administer<T extends Change>(
  env: Environment,
  loaded: LoadedJob,
  trigger: string,
  make: (session: Session) => Promise<T | null>,
): Promise<T | null> {
  const { name } = loaded.job
  const jobFile = env.state.jobFile(name)
  const runId = env.ids.uuid()
  try {
    const generation = liveGeneration(jobFile, loaded, env.clock.now())
    const session = await openSession(env, loaded, jobFile, { generation, outsideKey: 'live', runId })
    return await withSession(session, runId, async () => {
      const change = await make(session)
      if (change !== null) await commitChange(session, change, trigger, runId)
      return change
    })
  } catch (error) {
    throw asTidemarkError(error, name)
  } finally {
    jobFile.close()
  }
}
