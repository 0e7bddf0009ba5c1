import { diffGeneration } from '../../runtime/diff/diff-generation.ts'
import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { diffInWords } from '../output/diff-words.ts'
import { countOption, jobVersions, TOLERANCE_OPTION, toleranceOf } from '../version-options.ts'
import { withProgress } from '../with-progress.ts'

export const diff = command(
  (yargs) =>
    jobOptions(yargs)
      .positional('generation', {
        type: 'string',
        demandOption: true,
        describe: 'a reprocessing, or what was live before',
      })
      .option('tolerance', TOLERANCE_OPTION)
      .option('samples', { type: 'number', default: 10, describe: 'rows to show of each store' }),
  async (args, io) => {
    const tolerance = toleranceOf(args.tolerance)
    const samples = countOption('samples', args.samples)
    const jobs = await jobVersions(args, args.generation)
    const { generation } = args
    const report = await withProgress(args, io, async (env, onProgress) => {
      return await diffGeneration(env, jobs, { generation, tolerance, samples, onProgress })
    })
    io.result(report, () => diffInWords(report))
    return undefined
  },
)
