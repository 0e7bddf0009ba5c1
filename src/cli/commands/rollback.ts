import { openEnvironment } from '../../compose.ts'
import { EXACT } from '../../runtime/diff/tolerance.ts'
import { rollbackTarget } from '../../runtime/switching/rollback-target.ts'
import { switchGeneration } from '../../runtime/switching/switch-generation.ts'
import { command } from '../command.ts'
import { loadJobOf } from '../load-job-of.ts'
import { runProgress } from '../run-progress.ts'
import { switchInWords, switchOptions, switchRequest } from '../switch-options.ts'

export const rollback = command(switchOptions, async (args, io) => {
  const env = await openEnvironment(args)
  const progress = runProgress(io)
  try {
    const live = await loadJobOf(args)
    const generation = rollbackTarget(env, live.job.name)
    const other = await loadJobOf(args, generation)
    const gates = { maxDifferent: null, tolerance: EXACT }
    const request = { ...switchRequest(args), ...gates, generation, how: 'rollback' } as const
    const report = await switchGeneration(env, { live, other }, { ...request, onProgress: progress.update })
    progress.stop()
    io.result(report, () => switchInWords(report))
  } finally {
    progress.stop()
    await env.log.close()
  }
  return undefined
})
