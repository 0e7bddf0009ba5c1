import { openEnvironment } from '../compose.ts'
import type { Environment } from '../runtime/environment.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Io } from './io.ts'
import { type RunProgress, runProgress } from './run-progress.ts'

/** Opens what a verb works with, shows how far it is, and ends both however `work` ends. */
export async function withProgress<T>(
  options: Parameters<typeof openEnvironment>[0] & GlobalOptions,
  io: Pick<Io, 'progress'>,
  work: (env: Environment, onProgress: RunProgress['update']) => Promise<T>,
): Promise<T> {
  const env = await openEnvironment(options)
  const progress = runProgress(io)
  try {
    return await work(env, progress.update)
  } finally {
    progress.stop()
    await env.log.close()
  }
}
