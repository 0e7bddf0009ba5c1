import { EXACT } from '../../runtime/diff/tolerance.ts'
import { rollbackTarget } from '../../runtime/switching/rollback-target.ts'
import { switchGeneration } from '../../runtime/switching/switch-generation.ts'
import { command } from '../command.ts'
import { loadJobOf } from '../load-job-of.ts'
import { switchInWords, switchOptions, switchRequest } from '../switch-options.ts'
import { withProgress } from '../with-progress.ts'

export const rollback = command(switchOptions, async (args, io) => {
  const report = await withProgress(args, io, async (env, onProgress) => {
    const live = await loadJobOf(args)
    const generation = rollbackTarget(env, live.job.name)
    const other = await loadJobOf(args, generation)
    const gates = { maxDifferent: null, tolerance: EXACT }
    const request = { ...switchRequest(args), ...gates, generation, how: 'rollback' } as const
    return await switchGeneration(env, { live, other }, { ...request, onProgress })
  })
  io.result(report, () => switchInWords(report))
  return undefined
})
