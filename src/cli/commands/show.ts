import { openState } from '../../compose.ts'
import { TidemarkError } from '../../core/errors.ts'
import { parsePlan } from '../../planner/parse-plan.ts'
import type { RunRow } from '../../ports/history.ts'
import type { StateDirectory } from '../../ports/state-file.ts'
import { readGeneration } from '../../runtime/read-generation.ts'
import { runReport } from '../../runtime/run-report.ts'
import { command } from '../command.ts'
import { historyInWords } from '../output/history-words.ts'
import { planInWords } from '../output/plan-words.ts'
import { runInWords } from '../output/run-words.ts'

export const show = command(
  (yargs) => yargs.positional('run', { type: 'string', demandOption: true, describe: 'a run id, or its beginning' }),
  async (args, io) => {
    const run = findRun(await openState(args), args.run)
    const plan = run.plan === '' ? null : parsePlan(run.plan)
    io.result({ ...runReport(run), plan }, () => {
      const error = run.error === null ? [] : ['', `${run.error.code}: ${run.error.message}`, run.error.hint ?? '']
      const planned = plan === null ? [] : ['', 'the plan', planInWords(plan)]
      const came = ['', ...historyInWords(run)]
      return [`run ${run.runId}`, runInWords(run), ...came, ...error, ...planned].join('\n')
    })
    return undefined
  },
)

function findRun(state: StateDirectory, id: string): RunRow {
  const found: RunRow[] = []
  for (const job of state.jobs()) {
    for (const generation of state.generations(job)) {
      const runs = readGeneration(state, job, generation, (file) => file?.runs() ?? [])
      found.push(...runs.filter(({ runId }) => runId.startsWith(id)))
    }
  }
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  throw new TidemarkError(
    'USAGE',
    first === undefined ? `there is no run ${id} here` : `several runs begin with ${id}`,
    {
      hint: "'tidemark runs JOB' lists the runs of a job; give more of the run id.",
    },
  )
}
