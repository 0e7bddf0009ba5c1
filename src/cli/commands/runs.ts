import { openState } from '../../compose.ts'
import { totalCounts } from '../../runtime/counts.ts'
import { runReport } from '../../runtime/run-report.ts'
import { command } from '../command.ts'
import { openGeneration } from '../generation-option.ts'
import { jobName } from '../job-name.ts'
import { limitOption } from '../limit-option.ts'
import { table } from '../output/table.ts'
import { countInWords, secondInWords, tookInWords } from '../output/words.ts'

export const runs = command(
  (yargs) =>
    yargs
      .positional('job', { type: 'string', demandOption: true, describe: 'a job' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'default: the live one' })
      .option('limit', { type: 'number', default: 20, describe: 'how many, newest first' }),
  async (args, io) => {
    const limit = limitOption(args.limit)
    const file = openGeneration(await openState(args), jobName(args.job), args.generation)
    try {
      const found = file.runs(limit)
      io.result({ runs: found.map(runReport) }, () =>
        table(
          [
            { title: 'run' },
            { title: 'trigger' },
            { title: 'status' },
            { title: 'started' },
            { title: 'took', align: 'right' },
            { title: 'records', align: 'right' },
            { title: 'outputs', align: 'right' },
            { title: 'late', align: 'right', idle: '0' },
            { title: 'skipped', align: 'right', idle: '0' },
            { title: 'error', idle: '-' },
          ],
          found.map((run) => {
            const total = totalCounts(run.steps)
            return [
              run.runId.slice(0, 8),
              run.trigger,
              run.attempt > 1 ? `${run.status} (attempt ${run.attempt})` : run.status,
              secondInWords(run.startedAt),
              run.durationMs === null ? '-' : tookInWords(run.durationMs),
              ...[run.records, total.outputs, total.late, total.skipped + total.deadLettered].map(countInWords),
              run.error?.code ?? '-',
            ]
          }),
        ),
      )
    } finally {
      file.close()
    }
    return undefined
  },
)
