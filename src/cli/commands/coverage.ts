import { openState } from '../../compose.ts'
import { coverageOf, type Span } from '../../planner/coverage.ts'
import { processedOf } from '../../runtime/history/processed-of.ts'
import { command } from '../command.ts'
import { openGeneration } from '../generation-option.ts'
import { jobName } from '../job-name.ts'
import { table } from '../output/table.ts'
import { countInWords } from '../output/words.ts'

export const coverage = command(
  (yargs) =>
    yargs
      .positional('job', { type: 'string', demandOption: true, describe: 'a job' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'default: the live one' }),
  async (args, io) => {
    const file = openGeneration(await openState(args), jobName(args.job), args.generation)
    try {
      const partitions = coverageOf(processedOf(file))
      io.result({ partitions }, () =>
        table(
          [
            { title: 'topic' },
            { title: 'partition', align: 'right' },
            { title: 'covered' },
            { title: 'gaps' },
            { title: 'more than once' },
          ],
          partitions.map(({ topic, partition, covered, gaps, overlaps }) => [
            topic,
            String(partition),
            spans(covered),
            spans(gaps),
            spans(overlaps),
          ]),
        ),
      )
    } finally {
      file.close()
    }
    return undefined
  },
)

function spans(list: readonly Span[]): string {
  if (list.length === 0) return '-'
  return list.map(({ from, to }) => `[${countInWords(from)}, ${countInWords(to)})`).join(' ')
}
