import type { Environment } from '../../../src/runtime/environment.ts'
import { readHistory } from '../../../src/runtime/history/history.ts'
import { type ReplayOptions, replayHistory } from '../../../src/runtime/history/replay-history.ts'
import { openSession } from '../../../src/runtime/open-session.ts'
import { withSession } from '../../../src/runtime/with-session.ts'
import { jobOf, type RandomCase } from './random-case.ts'

/** Brings the generation `again` to where the live one is. */
export async function replay(env: Environment, { spec }: RandomCase, options?: ReplayOptions): Promise<void> {
  const loaded = { job: jobOf(spec), path: 'random.ts', hash: 'hash' }
  const source = env.state.open('random', 'g1', { create: false, readonly: true })
  const history = source === undefined ? undefined : readHistory('g1', source)
  source?.close()
  if (history === undefined) throw new Error('nothing has happened')
  const jobFile = env.state.jobFile('random')
  const named = { name: 'again', role: 'range', jobPath: 'random.ts', bounds: null } as const
  const generation = { ...named, published: false, createdAt: 0, lastToken: null }
  const runId = env.ids.uuid()
  const session = await openSession(env, loaded, jobFile, { generation, outsideKey: null, runId })
  await withSession(session, runId, () => replayHistory(session, history, options))
  jobFile.close()
}
