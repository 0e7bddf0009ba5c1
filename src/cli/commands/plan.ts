import { openEnvironment } from '../../compose.ts'
import { preflight } from '../../runtime/preflight.ts'
import { Runner } from '../../runtime/runner.ts'
import { command } from '../command.ts'
import { loadJobOf } from '../load-job-of.ts'
import { printPlan } from '../output/plan-words.ts'
import { runOptions, runRequest } from '../run-options.ts'

export const plan = command(runOptions, async (args, io) => {
  const loaded = await loadJobOf(args)
  const env = await openEnvironment(args)
  try {
    const plan = await new Runner(env).plan(loaded, runRequest(args))
    printPlan(plan, await preflight(env, loaded), io)
  } finally {
    await env.log.close()
  }
  return undefined
})
